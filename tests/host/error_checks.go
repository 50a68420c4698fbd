package main

import (
	"bufio"
	"os/exec"
	"reflect"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	contentpb "pluggableharness/content/v1"
	memorypb "pluggableharness/memory/v1"
)

var codeOf = map[string]codes.Code{
	"not_found":                codes.NotFound,
	"invalid_type":             codes.InvalidArgument,
	"invalid_scope":            codes.InvalidArgument,
	"ratification_unsupported": codes.FailedPrecondition,
	"budget_exceeded":          codes.ResourceExhausted,
	"source_unavailable":       codes.Unavailable,
	"unknown":                  codes.Internal,
}

// refusedAs takes what a call returned, and fails the check unless that is an error of the category, with
// its code and both details. It returns the message.
func refusedAs(_ interface{}, err error) func(category string) string {
	return func(category string) string {
		if err == nil {
			fail("%s was expected, but the call succeeded", category)
		}
		answered := status.Convert(err)
		equal("code of "+category, answered.Code(), codeOf[category])
		details := answered.Details()
		equal("details", len(details), 2)
		ours, known := details[0].(*memorypb.MemoryError)
		that(known, "the first detail is %v", reflect.TypeOf(details[0]))
		info, known := details[1].(*errdetails.ErrorInfo)
		that(known, "the second detail is %v", reflect.TypeOf(details[1]))
		number := memorypb.MemoryErrorCategory_value["MEMORY_ERROR_CATEGORY_"+upper(category)]
		equal("category", ours.Category, memorypb.MemoryErrorCategory(number))
		equal("reason", info.Reason, category)
		equal("domain", info.Domain, "memory.pluggableharness.dev")
		retryable := category == "source_unavailable"
		equal("retryable", ours.Retryable, retryable)
		equal("retryable of the info", info.Metadata["retryable"], retryable)
		that(ours.Message != "" && ours.Message == answered.Message(), "messages differ or are empty")
		return ours.Message
	}
}

func upper(word string) string {
	bytes := []byte(word)
	for i, letter := range bytes {
		if letter >= 'a' && letter <= 'z' {
			bytes[i] = letter - 'a' + 'A'
		}
	}
	return string(bytes)
}

// locked holds the write lock of a store from another process until the returned function is called.
func locked(store string) func() {
	cmd := exec.Command(*python, "-c", `import sqlite3, sys
conn = sqlite3.connect(sys.argv[1], isolation_level=None)
conn.execute("BEGIN IMMEDIATE")
print("locked", flush=True)
sys.stdin.read()`, store)
	stdin, err := cmd.StdinPipe()
	must(err)
	stdout, err := cmd.StdoutPipe()
	must(err)
	must(cmd.Start())
	said, err := bufio.NewReader(stdout).ReadString('\n')
	must(err)
	equal("the other process", said, "locked\n")
	return func() {
		stdin.Close()
		must(cmd.Wait())
	}
}

var errorChecks = []check{
	{"not_found: unknown and empty ids, in every call that takes one", func() {
		p := ready(nil)
		for _, id := range []string{"nobody", "", "no body", "\u0000", "x/../y"} {
			refusedAs(p.memory.GetRecord(short(), &memorypb.GetRecordRequest{Id: id}))("not_found")
			refusedAs(p.memory.UpdateRecord(short(), &memorypb.UpdateRecordRequest{Id: id, Content: blocksOf("x")}))("not_found")
			refusedAs(p.memory.DeleteRecord(short(), &memorypb.DeleteRecordRequest{Id: id}))("not_found")
			refusedAs(p.memory.ApproveRecord(short(), &memorypb.ApproveRecordRequest{Id: id}))("not_found")
			refusedAs(p.memory.RejectRecord(short(), &memorypb.RejectRecordRequest{Id: id}))("not_found")
		}
	}},
	{"invalid_type: unspecified and unknown", func() {
		p := ready(nil)
		for _, number := range []memorypb.MemoryType{0, 5, -1, 1 << 30} {
			refusedAs(p.memory.Record(short(), &memorypb.RecordRequest{Type: number, Scope: global, Title: "t"}))("invalid_type")
			filter := []memorypb.MemoryType{number}
			refusedAs(p.memory.ListRecords(short(), &memorypb.ListRecordsRequest{TypeFilter: filter}))("invalid_type")
			refusedAs(p.memory.Recall(short(), &memorypb.RecallRequest{TypeFilter: filter}))("invalid_type")
		}
	}},
	{"invalid_scope: unspecified and unknown", func() {
		p := ready(nil)
		for _, number := range []memorypb.MemoryScope{0, 4, -1, 1 << 30} {
			refusedAs(p.memory.Record(short(), &memorypb.RecordRequest{Type: user, Scope: number, Title: "t"}))("invalid_scope")
			filter := []memorypb.MemoryScope{number}
			refusedAs(p.memory.ListRecords(short(), &memorypb.ListRecordsRequest{ScopeFilter: filter}))("invalid_scope")
			refusedAs(p.memory.Recall(short(), &memorypb.RecallRequest{ScopeFilter: filter}))("invalid_scope")
		}
	}},
	{"ratification_unsupported: switched off, nothing can be approved", func() {
		p := ready(map[string]interface{}{"ratification": false})
		id := recorded(p, "Straight in", "x")
		equal("status", got(p, id).Status, canonical)
		refusedAs(p.memory.ApproveRecord(short(), &memorypb.ApproveRecordRequest{Id: id}))("ratification_unsupported")
		refusedAs(p.memory.RejectRecord(short(), &memorypb.RejectRecordRequest{Id: id}))("ratification_unsupported")
	}},
	{"budget_exceeded: candidates, and not even one fits", func() {
		p := ready(nil)
		emptyRecall(p, 0)
		approved(p, "Only", "x")
		for _, budget := range []int64{-5, 0, 1000} {
			refusedAs(p.memory.Recall(short(), &memorypb.RecallRequest{TokenBudget: budget}))("budget_exceeded")
		}
	}},
	{"source_unavailable: a locked store, and it may be tried again", func() {
		p := ready(nil)
		id := recorded(p, "There", "x")
		release := locked(storePath())
		refusedAs(p.memory.DeleteRecord(short(), &memorypb.DeleteRecordRequest{Id: id}))("source_unavailable")
		equal("reading goes on", got(p, id).Id, id)
		release()
		_, err := p.memory.DeleteRecord(short(), &memorypb.DeleteRecordRequest{Id: id})
		must(err)
	}},
	{"unknown: content that is no text, pages that are none", func() {
		p := ready(nil)
		image := &contentpb.ContentBlock{Block: &contentpb.ContentBlock_Image{Image: &contentpb.ImageBlock{}}}
		for _, block := range []*contentpb.ContentBlock{image, {}} {
			content := append(blocksOf("text"), block)
			refusedAs(p.memory.Record(short(), &memorypb.RecordRequest{Type: user, Scope: global, Title: "t", Content: content}))("unknown")
		}
		refusedAs(p.memory.ListRecords(short(), &memorypb.ListRecordsRequest{PageSize: -1}))("unknown")
		refusedAs(p.memory.ListRecords(short(), &memorypb.ListRecordsRequest{PageToken: "nonsense"}))("unknown")
		equal("nothing was written", len(listed(p, &memorypb.ListRecordsRequest{})), 0)
	}},
}

// emptyRecall recalls from a store without candidates: the reply is empty whatever the budget.
func emptyRecall(p *provider, budget int64) {
	answer, err := p.memory.Recall(short(), &memorypb.RecallRequest{TokenBudget: budget})
	must(err)
	equal("without candidates", len(answer.Records), 0)
}
