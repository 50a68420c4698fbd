package main

import (
	memorypb "pluggableharness/memory/v1"
)

// recalled returns the text of each recalled record by id.
func recalled(p *provider, request *memorypb.RecallRequest) map[string]string {
	if request.TokenBudget == 0 {
		request.TokenBudget = 1 << 40
	}
	answer, err := p.memory.Recall(short(), request)
	must(err)
	texts := map[string]string{}
	for _, record := range answer.Records {
		texts[record.Id] = textOf(record.Content)
		that(record.RelevanceScore != nil && *record.RelevanceScore >= 0 && *record.RelevanceScore <= 1,
			"relevance of %s is %v", record.Id, record.RelevanceScore)
	}
	return texts
}

func updated(p *provider, id, content string) {
	answer, err := p.memory.UpdateRecord(short(), &memorypb.UpdateRecordRequest{Id: id, Content: blocksOf(content)})
	must(err)
	equal("status", answer.Result.Status, pending)
}

var gateChecks = []check{
	{"gate: a draft is listed, never recalled unless asked for", func() {
		p := ready(nil)
		id := recorded(p, "Draft", "secret plan")
		equal("recalled", len(recalled(p, &memorypb.RecallRequest{})), 0)
		equal("asked for", recalled(p, &memorypb.RecallRequest{IncludePending: true})[id], "secret plan")
		equal("listed", listed(p, &memorypb.ListRecordsRequest{}), []string{id})
	}},
	{"gate: approved, it is recalled", func() {
		p := ready(nil)
		id := approved(p, "Draft", "plan")
		equal("recalled", recalled(p, &memorypb.RecallRequest{}), map[string]string{id: "plan"})
		refusedAs(p.memory.ApproveRecord(short(), &memorypb.ApproveRecordRequest{Id: id}))("not_found")
	}},
	{"gate: rejected, it is gone", func() {
		p := ready(nil)
		id := recorded(p, "Draft", "plan")
		answer, err := p.memory.RejectRecord(short(), &memorypb.RejectRecordRequest{Id: id})
		must(err)
		that(answer.Result.Deleted, "not discarded")
		refusedAs(p.memory.GetRecord(short(), &memorypb.GetRecordRequest{Id: id}))("not_found")
	}},
	{"gate: a revision waits, the canonical text is served", func() {
		p := ready(nil)
		id := approved(p, "Title", "old")
		updated(p, id, "new")
		equal("got", textOf(got(p, id).Content), "old")
		equal("recalled", recalled(p, &memorypb.RecallRequest{IncludePending: true}), map[string]string{id: "old"})
		equal("listed", listed(p, &memorypb.ListRecordsRequest{}), []string{id, id})
		_, err := p.memory.RejectRecord(short(), &memorypb.RejectRecordRequest{Id: id})
		must(err)
		equal("rejected", textOf(got(p, id).Content), "old")
		updated(p, id, "newer")
		updated(p, id, "newest")
		_, err = p.memory.ApproveRecord(short(), &memorypb.ApproveRecordRequest{Id: id})
		must(err)
		equal("approved", recalled(p, &memorypb.RecallRequest{}), map[string]string{id: "newest"})
		equal("title", got(p, id).Title, "Title")
	}},
	{"gate: ratification stays on while drafts wait", func() {
		p := ready(nil)
		recorded(p, "Waits", "x")
		refusedAs(p.memory.Configure(short(), &memorypb.ConfigureRequest{Config: structOf(map[string]interface{}{"ratification": false})}))("unknown")
		equal("status", got(p, recorded(p, "Waits too", "x")).Status, pending)
	}},
}
