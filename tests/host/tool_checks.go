package main

import (
	"io"
	"strings"

	"google.golang.org/protobuf/types/known/structpb"

	commonpb "pluggableharness/common/v1"
	memorypb "pluggableharness/memory/v1"
	toolpb "pluggableharness/tool/v1"
)

func structOf(fields map[string]interface{}) *structpb.Struct {
	made, err := structpb.NewStruct(fields)
	must(err)
	return made
}

func callOf(tool string, arguments map[string]interface{}) *toolpb.ToolCall {
	return &toolpb.ToolCall{Id: "call-1", ToolName: tool, Arguments: structOf(arguments),
		CallContext: &commonpb.CallContext{SessionId: "session-1", TurnId: "turn-1", WorkingDirectory: "/nowhere/project"}}
}

// lastEvent calls a tool and returns the event that ends its stream.
func lastEvent(p *provider, tool string, arguments map[string]interface{}) *toolpb.ToolEvent {
	stream, err := p.tool.Invoke(short(), &toolpb.InvokeRequest{Call: callOf(tool, arguments)})
	must(err)
	var last *toolpb.ToolEvent
	for {
		answer, err := stream.Recv()
		if err == io.EOF {
			that(last != nil, "the stream was empty")
			return last
		}
		must(err)
		last = answer.Event
	}
}

// invoked calls a tool that succeeds, checks the result against the declared schema, and returns it.
func invoked(p *provider, tool string, arguments map[string]interface{}) map[string]interface{} {
	event := lastEvent(p, tool, arguments)
	that(event.GetResult() != nil, "%s: %v", tool, event)
	result := event.GetResult().Payload.AsMap()
	if fault := nonconforming(declaredBy(p)[tool].OutputSchema, result, "result"); fault != "" {
		fail("%s does not conform: %s", tool, fault)
	}
	return result
}

func declaredBy(p *provider) map[string]*toolpb.ToolSchema {
	answer, err := p.tool.GetSchema(short(), &toolpb.GetSchemaRequest{})
	must(err)
	tools := map[string]*toolpb.ToolSchema{}
	for _, tool := range answer.Tools {
		tools[tool.Name] = tool
	}
	return tools
}

func wanted(title string) map[string]interface{} {
	return map[string]interface{}{"type": "user", "scope": "global", "title": title, "content": "Text of " + title + "."}
}

// remembered keeps a memory through the tool and returns its id.
func remembered(p *provider, title string) string {
	result := invoked(p, "memory.remember", wanted(title))
	equal("outcome", result["outcome"], "created")
	equal("status", result["status"], "pending")
	return result["id"].(string)
}

// toolFailure calls a tool that fails, and returns the category of its error.
func toolFailure(p *provider, tool string, arguments map[string]interface{}) string {
	event := lastEvent(p, tool, arguments)
	that(event.GetError() != nil, "%s: %v", tool, event)
	that(event.GetError().Message != "", "no message")
	return strings.TrimPrefix(event.GetError().Category.String(), "TOOL_ERROR_CATEGORY_")
}

var toolChecks = []check{
	{"tools: three are declared, and none approves", func() {
		p := ready(nil)
		tools := declaredBy(p)
		equal("number", len(tools), 3)
		equal("remember", tools["memory.remember"].Risk, toolpb.RiskClass_RISK_CLASS_MODERATE)
		equal("forget", tools["memory.forget"].Kind, toolpb.ToolKind_TOOL_KIND_RESOURCE)
		equal("search", tools["memory.search"].Risk, toolpb.RiskClass_RISK_CLASS_READ_ONLY)
		for name := range tools {
			that(!strings.Contains(name, "approve") && !strings.Contains(name, "reject"), "%s", name)
		}
	}},
	{"tools: remember creates, updates, and asks about what is close", func() {
		p := ready(nil)
		id := remembered(p, "Prefers tabs over spaces")
		again := wanted("Prefers tabs over spaces")
		again["content"] = "Changed."
		equal("again", invoked(p, "memory.remember", again)["outcome"], "updated")
		close := wanted("Prefers tab over space")
		asked := invoked(p, "memory.remember", close)
		equal("close", asked["outcome"], "similar")
		equal("candidate", asked["candidates"].([]interface{})[0].(map[string]interface{})["id"], id)
		equal("written", len(listed(p, &memorypb.ListRecordsRequest{})), 1)
		close["create_new"] = true
		equal("create_new", invoked(p, "memory.remember", close)["outcome"], "created")
	}},
	{"tools: provenance and binding come from the call", func() {
		p := ready(nil)
		arguments := wanted("Bound")
		arguments["scope"] = "project"
		id := invoked(p, "memory.remember", arguments)["id"].(string)
		record := got(p, id)
		equal("session", record.Provenance.SourceSessionId, "session-1")
		equal("turn", record.Provenance.GetSourceTurnId(), "turn-1")
		equal("recorded by", record.Provenance.RecordedBy, "memory.remember")
		_, err := p.memory.ApproveRecord(short(), &memorypb.ApproveRecordRequest{Id: id})
		must(err)
		equal("there", len(recalled(p, &memorypb.RecallRequest{WorkingDirectory: "/nowhere/project/deep"})), 1)
		equal("not there", len(recalled(p, &memorypb.RecallRequest{WorkingDirectory: "/nowhere"})), 0)
	}},
	{"tools: search finds what was approved", func() {
		p := ready(nil)
		p.callbacks.flat = 10
		id := approved(p, "Database of choice", "PostgreSQL.")
		recorded(p, "Draft on PostgreSQL", "Not approved.")
		found := invoked(p, "memory.search", map[string]interface{}{"query": "postgresql"})
		equal("count", found["count"], 1)
		equal("id", found["memories"].([]interface{})[0].(map[string]interface{})["id"], id)
	}},
	{"tools: forget", func() {
		p := ready(nil)
		id := approved(p, "Outdated", "x")
		equal("deleted", invoked(p, "memory.forget", map[string]interface{}{"id": id})["deleted"], true)
		equal("again", toolFailure(p, "memory.forget", map[string]interface{}{"id": id}), "NOT_FOUND")
	}},
	{"tools: errors have the tool categories", func() {
		p := ready(nil)
		equal("missing", toolFailure(p, "memory.remember", map[string]interface{}{}), "INVALID_ARGUMENTS")
		equal("type", toolFailure(p, "memory.search", map[string]interface{}{"query": 1.0}), "INVALID_ARGUMENTS")
		equal("tool", toolFailure(p, "memory.approve", map[string]interface{}{}), "NOT_FOUND")
		approved(p, "Large", "x")
		small := map[string]interface{}{"query": "x", "token_budget": 1.0}
		equal("budget", toolFailure(p, "memory.search", small), "EXECUTION_FAILED")
		release := locked(storePath())
		event := lastEvent(p, "memory.remember", wanted("Waits"))
		release()
		that(event.GetError().GetRetryable(), "a locked store: %v", event)
	}},
	{"tools: a preview shows the difference and makes none", func() {
		p := ready(nil)
		id := remembered(p, "Title")
		arguments := wanted("Title")
		arguments["content"], arguments["id"] = "Other text.", id
		answer, err := p.tool.Preview(short(), &toolpb.PreviewRequest{Call: callOf("memory.remember", arguments)})
		must(err)
		shown := answer.Preview.String()
		that(strings.Contains(shown, "DIFF_LINE_OP_ADD") && strings.Contains(shown, "Other text."), "%s", shown)
		that(strings.Contains(shown, "DIFF_LINE_OP_REMOVE"), "%s", shown)
		equal("text", textOf(got(p, id).Content), "Text of Title.")
	}},
	{"tools: render never fails", func() {
		p := ready(nil)
		for _, payload := range [][]byte{nil, {0xff}, {0x0a, 0x01, 'x'}} {
			for _, version := range []string{"", "1", "99"} {
				_, err := p.tool.Render(short(), &toolpb.RenderRequest{Payload: payload, SchemaVersion: version})
				must(err)
			}
		}
	}},
}
