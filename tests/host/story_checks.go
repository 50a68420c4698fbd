package main

import (
	"encoding/json"
	"fmt"
	"os/exec"
	"strings"

	memorypb "pluggableharness/memory/v1"
)

var storyChecks = []check{
	{"story: a tool remembers, the operator approves elsewhere, recall serves it", func() {
		memory := ready(nil)
		tools := start(*toolsBinary, &callbacks{})
		id := remembered(tools, "Reviews go to the platform team")
		equal("recalled before", len(recalled(memory, &memorypb.RecallRequest{})), 0)
		that(strings.Contains(operator("list", "--status", "pending"), id), "the operator does not see it")
		operator("approve", id)
		text := recalled(memory, &memorypb.RecallRequest{})[id]
		equal("recalled after", text, "Text of Reviews go to the platform team.")
		that(strings.Contains(operator("history", id), "approve"), "the journal does not say so")
	}},
}

// sayWhatIsRecalled recalls as a host does for a turn, and says each record as a line of JSON.
func sayWhatIsRecalled(words string) {
	defer leaveAll()
	launched := introduced(start(*memoryBinary, &callbacks{}), nil)
	answer, err := launched.memory.Recall(short(), &memorypb.RecallRequest{
		TokenBudget: 1 << 40, FilesTouched: strings.Fields(words),
	})
	must(err)
	for _, record := range answer.Records {
		line, err := json.Marshal(map[string]string{
			"id": record.Id, "text": textOf(record.Content), "recorded_by": record.Provenance.RecordedBy,
			"source_session_id": record.Provenance.SourceSessionId,
		})
		must(err)
		fmt.Println(string(line))
	}
}

// operator runs a command of the operator's on the same store, in a process of its own.
func operator(arguments ...string) string {
	out, err := exec.Command(*memoryBinary, arguments...).CombinedOutput()
	if err != nil {
		fail("%v: %v: %s", arguments, err, out)
	}
	return string(out)
}
