package main

import (
	"fmt"
	"os"
	"strings"

	"github.com/golang/protobuf/proto"
	"google.golang.org/protobuf/types/known/structpb"

	eventpb "pluggableharness/event/v1"
	memorypb "pluggableharness/memory/v1"
)

const (
	user      = memorypb.MemoryType_MEMORY_TYPE_USER
	global    = memorypb.MemoryScope_MEMORY_SCOPE_GLOBAL
	pending   = memorypb.RecordStatus_RECORD_STATUS_PENDING
	canonical = memorypb.RecordStatus_RECORD_STATUS_CANONICAL
)

// recorded writes a record and returns its id.
func recorded(p *provider, title, content string) string {
	answer, err := p.memory.Record(short(), &memorypb.RecordRequest{
		Type: user, Scope: global, Title: title, Content: blocksOf(content)})
	must(err)
	return answer.Result.Id
}

// approved writes a record, approves it, and returns its id.
func approved(p *provider, title, content string) string {
	id := recorded(p, title, content)
	answer, err := p.memory.ApproveRecord(short(), &memorypb.ApproveRecordRequest{Id: id})
	must(err)
	equal("status", answer.Result.Status, canonical)
	return id
}

func got(p *provider, id string) *memorypb.MemoryRecord {
	answer, err := p.memory.GetRecord(short(), &memorypb.GetRecordRequest{Id: id})
	must(err)
	return answer.Record
}

// listed returns the ids of a whole sweep, in order.
func listed(p *provider, filter *memorypb.ListRecordsRequest) []string {
	ids := []string{}
	for {
		answer, err := p.memory.ListRecords(short(), filter)
		must(err)
		for _, record := range answer.Records {
			ids = append(ids, record.Id)
		}
		if filter.PageToken = answer.NextPageToken; filter.PageToken == "" {
			return ids
		}
	}
}

var memoryChecks = []check{
	{"record, get: what was written comes back", func() {
		p := ready(nil)
		id := recorded(p, "Wie man schreibt: Größe", "Erste Zeile.\n\nSiehe [[other]] und [[other]].")
		equal("id", id, "wie-man-schreibt-grösse") // casefolded
		record := got(p, id)
		equal("content", textOf(record.Content), "Erste Zeile.\n\nSiehe [[other]] und [[other]].")
		equal("title", record.Title, "Wie man schreibt: Größe")
		equal("type and scope", fmt.Sprint(record.Type, record.Scope), fmt.Sprint(user, global))
		equal("status", record.Status, pending)
		equal("links", len(record.Links), 1)
		that(record.RelevanceScore == nil, "a relevance score outside of recall and lists")
		that(record.CreatedAt.IsValid() && record.UpdatedAt.IsValid(), "times are missing")
		that(record.Provenance.RecordedBy != "", "nobody recorded it")
	}},
	{"a taken id gets the next suffix", func() {
		p := ready(nil)
		equal("first", recorded(p, "User role", "a"), "user-role")
		equal("second", recorded(p, "User role", "b"), "user-role-2")
		wanted := "user-role"
		answer, err := p.memory.Record(short(), &memorypb.RecordRequest{
			Type: user, Scope: global, Id: &wanted, Title: "c", Content: blocksOf("c")})
		must(err)
		equal("suggested", answer.Result.Id, "user-role-3")
	}},
	{"several text blocks are joined in order", func() {
		p := ready(nil)
		answer, err := p.memory.Record(short(), &memorypb.RecordRequest{
			Type: user, Scope: global, Title: "t", Content: append(blocksOf("one "), blocksOf("two")...)})
		must(err)
		equal("content", textOf(got(p, answer.Result.Id).Content), "one two")
	}},
	{"delete: out of sight", func() {
		p := ready(nil)
		id := approved(p, "Gone", "x")
		answer, err := p.memory.DeleteRecord(short(), &memorypb.DeleteRecordRequest{Id: id})
		must(err)
		that(answer.Result.Deleted, "not deleted")
		refusedAs(p.memory.GetRecord(short(), &memorypb.GetRecordRequest{Id: id}))("not_found")
		equal("listed", len(listed(p, &memorypb.ListRecordsRequest{})), 0)
	}},
	{"paging: a sweep sees each record once, newest first", func() {
		p := ready(nil)
		written := []string{}
		for i := 0; i < 23; i++ {
			written = append([]string{recorded(p, fmt.Sprintf("Number %d", i), "x")}, written...)
		}
		for _, size := range []int32{1, 5, 23, 500, 501} {
			swept := listed(p, &memorypb.ListRecordsRequest{PageSize: size})
			equal(fmt.Sprintf("pages of %d", size), strings.Join(swept, " "), strings.Join(written, " "))
		}
	}},
	{"paging: inserts and deletions in between are no matter", func() {
		p := ready(nil)
		for i := 0; i < 6; i++ {
			recorded(p, fmt.Sprintf("Number %d", i), "x")
		}
		first, err := p.memory.ListRecords(short(), &memorypb.ListRecordsRequest{PageSize: 3})
		must(err)
		recorded(p, "Newer", "x")
		_, err = p.memory.DeleteRecord(short(), &memorypb.DeleteRecordRequest{Id: "number-4"})
		must(err)
		rest := listed(p, &memorypb.ListRecordsRequest{PageSize: 3, PageToken: first.NextPageToken})
		equal("rest", strings.Join(rest, " "), "number-2 number-1 number-0")
	}},
	{"filters: type, scope and status", func() {
		p := ready(nil)
		approved(p, "Approved", "x")
		recorded(p, "Draft", "x")
		status := pending
		equal("pending", listed(p, &memorypb.ListRecordsRequest{StatusFilter: &status}), []string{"draft"})
		status = canonical
		equal("canonical", listed(p, &memorypb.ListRecordsRequest{StatusFilter: &status}), []string{"approved"})
		other := []memorypb.MemoryType{memorypb.MemoryType_MEMORY_TYPE_PROJECT}
		equal("other type", len(listed(p, &memorypb.ListRecordsRequest{TypeFilter: other})), 0)
		scopes := []memorypb.MemoryScope{global}
		equal("scope", len(listed(p, &memorypb.ListRecordsRequest{ScopeFilter: scopes})), 2)
	}},
	{"a text at the size limit, and one over it", func() {
		p := ready(nil)
		id := recorded(p, "Large", strings.Repeat("x", 256*1024))
		equal("length", len(textOf(got(p, id).Content)), 256*1024)
		refusedAs(p.memory.Record(short(), &memorypb.RecordRequest{
			Type: user, Scope: global, Title: "t", Content: blocksOf(strings.Repeat("x", 256*1024+1))}))("unknown")
		refusedAs(p.memory.Record(short(), &memorypb.RecordRequest{
			Type: user, Scope: global, Title: "t", Content: blocksOf(strings.Repeat("x", 8<<20))}))("unknown")
		refusedAs(p.memory.GetRecord(short(), &memorypb.GetRecordRequest{Id: "t"}))("not_found")
	}},
	{"render: a review card, and notices for what cannot be read", func() {
		p := ready(nil)
		id := recorded(p, "Card", "Some text.")
		event, err := proto.Marshal(&eventpb.MemoryMutationEvent{RecordId: id, Content: blocksOf("Some text.")})
		must(err)
		for version, payload := range map[string][]byte{"1": event, "2": event} {
			answer, err := p.memory.Render(short(), &memorypb.RenderRequest{Payload: payload, SchemaVersion: version})
			must(err)
			that(answer.Tree.Root != nil, "an empty tree")
			equal("card for version "+version, strings.Contains(answer.Tree.String(), "Card"), version == "1")
		}
		_, err = p.memory.Render(short(), &memorypb.RenderRequest{Payload: []byte{0xff}, SchemaVersion: "1"})
		must(err)
	}},
	{"configure: unknown and ill-typed attributes are refused, values never repeated", func() {
		p := ready(nil)
		for _, bad := range []map[string]interface{}{
			{"colour": "hunter2"}, {"token_budget": "hunter2"}, {"ratification": 1.0}, {"store_password": 7.0},
		} {
			config, err := structpb.NewStruct(bad)
			must(err)
			message := refusedAs(p.memory.Configure(short(), &memorypb.ConfigureRequest{Config: config}))("unknown")
			that(!strings.Contains(message, "hunter2"), "it repeats the value: %s", message)
		}
	}},
	{"configure: a store of the operator's choice", func() {
		p := ready(nil)
		place := freshHome() + "/elsewhere/inbox.db"
		introduced(p, map[string]interface{}{"store": place, "token_budget": 77.0})
		recorded(p, "There", "x")
		equal("exists", strings.Contains(listing(os.Getenv("HOME")), "inbox.db"), true)
		answer, err := p.memory.GetCapabilities(short(), &memorypb.GetCapabilitiesRequest{})
		must(err)
		equal("budget", answer.Capabilities.DefaultTokenBudget, 77)
	}},
}
