package main

import (
	"fmt"
	"strings"

	memorypb "pluggableharness/memory/v1"
	modelpb "pluggableharness/model/v1"
)

var recallChecks = []check{
	{"budget: replies never add up to more", func() {
		p := ready(nil)
		for i := 0; i < 12; i++ {
			approved(p, fmt.Sprintf("Number %d", i), strings.Repeat("x", i*40))
		}
		for _, budget := range []int64{1000, 1439, 1440, 2500, 5000, 20000} {
			answer, err := p.memory.Recall(short(), &memorypb.RecallRequest{TokenBudget: budget})
			must(err)
			sum := int64(0)
			for _, record := range answer.Records {
				sum += record.Tokens
				equal("tokens", record.Tokens, 1000+len(textOf(record.Content)))
			}
			that(sum <= budget, "%d tokens for a budget of %d", sum, budget)
			that(len(answer.Records) > 0, "nothing for a budget of %d", budget)
		}
	}},
	{"scopes: session and project records only where they belong", func() {
		p := ready(nil)
		here, there := freshHome(), freshHome()
		context := &memorypb.RecallRequest{SessionId: "s1", WorkingDirectory: here}
		recalled(p, context) // the one live session
		for _, scope := range []memorypb.MemoryScope{memorypb.MemoryScope_MEMORY_SCOPE_SESSION, memorypb.MemoryScope_MEMORY_SCOPE_PROJECT} {
			answer, err := p.memory.Record(short(), &memorypb.RecordRequest{Type: user, Scope: scope, Title: scope.String(), Content: blocksOf("x")})
			must(err)
			_, err = p.memory.ApproveRecord(short(), &memorypb.ApproveRecordRequest{Id: answer.Result.Id})
			must(err)
		}
		equal("here", len(recalled(p, context)), 2)
		equal("other session", len(recalled(p, &memorypb.RecallRequest{SessionId: "s2", WorkingDirectory: here})), 1)
		equal("other project", len(recalled(p, &memorypb.RecallRequest{SessionId: "s1", WorkingDirectory: there})), 1)
		equal("elsewhere", len(recalled(p, &memorypb.RecallRequest{})), 0)
	}},
	{"filters of recall", func() {
		p := ready(nil)
		approved(p, "One", "x")
		types := []memorypb.MemoryType{memorypb.MemoryType_MEMORY_TYPE_REFERENCE}
		equal("other type", len(recalled(p, &memorypb.RecallRequest{TypeFilter: types})), 0)
		types = append(types, user)
		equal("two types", len(recalled(p, &memorypb.RecallRequest{TypeFilter: types})), 1)
	}},
	{"the model target is what tokens are counted for", func() {
		p := ready(nil)
		approved(p, "One", "abc")
		request := &memorypb.RecallRequest{ModelTarget: &modelpb.ModelTarget{Id: "some-model"}}
		recalled(p, request)
		equal("counted", p.callbacks.counts(), 1)
		equal("model", p.callbacks.counted[0].ModelRef.GetId(), "some-model")
		equal("text", textOf(p.callbacks.counted[0].Content), "abc")
	}},
}
