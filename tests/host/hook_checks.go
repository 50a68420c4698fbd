package main

import (
	"bytes"
	"sort"
	"strings"
	"time"

	"github.com/golang/protobuf/proto"
	"google.golang.org/protobuf/encoding/protowire"

	contentpb "pluggableharness/content/v1"
	hookpb "pluggableharness/hook/v1"
	memorypb "pluggableharness/memory/v1"
)

func response(text string) *hookpb.HookPayload {
	message := &contentpb.Message{Role: contentpb.Role_ROLE_ASSISTANT, Content: blocksOf(text)}
	return &hookpb.HookPayload{Payload: &hookpb.HookPayload_PostModelResponse{
		PostModelResponse: &hookpb.PostModelResponsePayload{Message: message}}}
}

func sessionEnd(id string) *hookpb.HookPayload {
	return &hookpb.HookPayload{Payload: &hookpb.HookPayload_SessionEnd{
		SessionEnd: &hookpb.SessionEndPayload{SessionId: id}}}
}

// dispatch delivers a hook and returns the answer and how long it took.
func dispatch(p *provider, payload *hookpb.HookPayload, mode hookpb.HookMode) (*hookpb.DispatchHookResponse, time.Duration) {
	started := time.Now()
	answer, err := p.hook.DispatchHook(short(), &hookpb.DispatchHookRequest{Payload: payload, Mode: mode})
	must(err)
	return answer, time.Since(started)
}

const (
	observe   = hookpb.HookMode_HOOK_MODE_OBSERVE
	transform = hookpb.HookMode_HOOK_MODE_TRANSFORM
	veto      = hookpb.HookMode_HOOK_MODE_VETO
)

var hookChecks = []check{
	{"hooks: observe, transform and veto get the outcome they ask for", func() {
		p := ready(nil)
		answer, _ := dispatch(p, response("hello"), observe)
		that(answer.GetObserve() != nil, "observe: %v", answer)
		answer, _ = dispatch(p, response("hello"), veto)
		equal("veto", answer.GetVeto().GetDecision(), hookpb.HookDecision_HOOK_DECISION_ALLOW)
		answer, _ = dispatch(p, response("hello"), transform)
		that(proto.Equal(answer.GetTransform().GetPayload(), response("hello")), "transform: %v", answer)
	}},
	{"hooks: a transformed payload keeps fields of a newer host, byte for byte", func() {
		p := ready(nil)
		known, err := proto.Marshal(sessionEnd("s"))
		must(err)
		newer := protowire.AppendBytes(protowire.AppendTag(nil, 900, protowire.BytesType), []byte("new"))
		payload := append(append(newer, known...), newer...)
		request := protowire.AppendBytes(protowire.AppendTag(nil, 1, protowire.BytesType), payload)
		request = protowire.AppendVarint(protowire.AppendTag(request, 2, protowire.VarintType), uint64(transform))
		decoded, answer := &hookpb.DispatchHookRequest{}, &hookpb.DispatchHookResponse{}
		must(proto.Unmarshal(request, decoded))
		must(p.conn.Invoke(short(), "/pluggableharness.hook.v1.HookSubscriberService/DispatchHook", decoded, answer))
		sent, err := proto.Marshal(decoded.Payload)
		must(err)
		back, err := proto.Marshal(answer.GetTransform().GetPayload())
		must(err)
		that(bytes.Equal(sent, back), "sent %x, got %x", sent, back)
		that(bytes.Count(back, newer) == 2, "the unknown fields are gone")
	}},
	{"hooks: an assistant's Remember lines become drafts", func() {
		p := ready(nil)
		dispatch(p, response("Sure.\nRemember (user, global): writes Go\nremember: lint first\nI remember: no"), observe)
		eventually("two drafts", func() bool { return len(p.callbacks.events()) == 2 })
		ids := listed(p, &memorypb.ListRecordsRequest{})
		sort.Strings(ids)
		equal("drafts", strings.Join(ids, " "), "lint-first writes-go")
		equal("status", got(p, "writes-go").Status, pending)
		equal("type", got(p, "lint-first").Type, memorypb.MemoryType_MEMORY_TYPE_FEEDBACK)
	}},
	{"hooks: never more than 50 ms, also while the store is locked", func() {
		p := ready(nil)
		recorded(p, "Opens the store", "x")
		recalled(p, &memorypb.RecallRequest{IncludePending: true})
		release := locked(storePath())
		defer release()
		times := []time.Duration{}
		for i := 0; i < 41; i++ {
			_, took := dispatch(p, response("Remember: number "+strings.Repeat("x", i)), observe)
			times = append(times, took)
			_, took = dispatch(p, sessionEnd("s"), observe)
			times = append(times, took)
		}
		sort.Slice(times, func(i, j int) bool { return times[i] < times[j] })
		// A slow answer can be the machine's; half of them cannot.
		that(times[len(times)/2] < 50*time.Millisecond, "half of them took more than %v", times[len(times)/2])
	}},
	{"hooks: malformed payloads do not fail the turn", func() {
		p := ready(nil)
		for _, payload := range []*hookpb.HookPayload{nil, {}, response(""), sessionEnd("")} {
			answer, _ := dispatch(p, payload, observe)
			that(answer.GetObserve() != nil, "%v", answer)
		}
	}},
}
