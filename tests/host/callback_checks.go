package main

import (
	"strings"
	"time"

	plugin "github.com/hashicorp/go-plugin"

	eventpb "pluggableharness/event/v1"
	logpb "pluggableharness/log/v1"
	memorypb "pluggableharness/memory/v1"

	"github.com/golang/protobuf/proto"
)

var callbackChecks = []check{
	{"callback: each text is counted once, also over launches", func() {
		p := ready(nil)
		approved(p, "One", "abc")
		approved(p, "Two", "abcd")
		recalled(p, &memorypb.RecallRequest{})
		recalled(p, &memorypb.RecallRequest{})
		equal("counts", p.callbacks.counts(), 2)
		p.client.Kill()
		again := introduced(start(*memoryBinary, &callbacks{}), nil)
		equal("recalled", len(recalled(again, &memorypb.RecallRequest{})), 2)
		equal("counts of the next launch", again.callbacks.counts(), 0)
	}},
	{"callback: without one, tokens are ceil(bytes / 4)", func() {
		freshHome()
		p := introduced(start(*memoryBinary, nil), nil)
		approved(p, "One", "abcdé")
		answer, err := p.memory.Recall(short(), &memorypb.RecallRequest{TokenBudget: 2})
		must(err)
		equal("tokens", answer.Records[0].Tokens, 2)
	}},
	{"callback: a host that attaches again is the one that is called", func() {
		p := ready(nil)
		approved(p, "One", "abc")
		recalled(p, &memorypb.RecallRequest{})
		second := attach(&plugin.ClientConfig{Reattach: p.client.ReattachConfig()}, &callbacks{flat: 5})
		approved(second, "Two", "new text")
		answer, err := second.memory.Recall(short(), &memorypb.RecallRequest{TokenBudget: 1 << 40})
		must(err)
		equal("records", len(answer.Records), 2)
		equal("counts of the first", p.callbacks.counts(), 1)
		equal("counts of the second", second.callbacks.counts(), 1)
	}},
	{"callback: tools emit what they change, and plain calls do not", func() {
		p := ready(nil)
		recorded(p, "Plain", "x")
		id := remembered(p, "Remembered")
		invoked(p, "memory.remember", map[string]interface{}{"type": "user", "scope": "global", "title": "Remembered", "content": "changed", "id": id})
		invoked(p, "memory.forget", map[string]interface{}{"id": id})
		kinds := []string{}
		for _, event := range p.callbacks.events() {
			kinds = append(kinds, strings.TrimPrefix(event.Kind.String(), "EVENT_KIND_"))
			equal("session", event.SessionId, "session-1")
			equal("schema version", event.SchemaVersion, "1")
			decoded := &eventpb.MemoryMutationEvent{}
			must(proto.Unmarshal(event.Payload, decoded))
			equal("record", decoded.RecordId, id)
		}
		equal("kinds", strings.Join(kinds, " "), "MEMORY_WRITE MEMORY_UPDATE MEMORY_DELETE")
	}},
	{"callback: logs come in batches, with level, logger and time", func() {
		p := ready(nil)
		recalled(p, &memorypb.RecallRequest{})
		_, err := p.memory.Record(short(), &memorypb.RecordRequest{
			Type: user, Scope: memorypb.MemoryScope_MEMORY_SCOPE_PROJECT, Title: "No project", Content: blocksOf("x")})
		must(err)
		eventually("a log line", func() bool { return len(p.callbacks.lines()) > 0 })
		entry := p.callbacks.lines()[0]
		equal("level", entry.Level, logpb.LogLevel_LOG_LEVEL_WARN)
		that(strings.Contains(entry.Message, "project") && entry.Logger != "", "it says %v", entry)
		that(time.Since(entry.Time.AsTime()) < time.Minute, "its time is %v", entry.Time)
	}},
	{"callback: before that channel, logs are hclog lines on stderr", func() {
		freshHome()
		p := introduced(start(*memoryBinary, nil), nil)
		_, err := p.memory.Record(short(), &memorypb.RecordRequest{
			Type: user, Scope: memorypb.MemoryScope_MEMORY_SCOPE_PROJECT, Title: "No project", Content: blocksOf("x")})
		must(err)
		eventually("a log line", func() bool { return strings.Contains(p.logs.String(), "no known project") })
		that(strings.Contains(p.logs.String(), `"@level":"warn"`), "its level was lost: %s", p.logs)
	}},
}
