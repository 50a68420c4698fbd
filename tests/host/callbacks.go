package main

import (
	"bytes"
	"context"
	"sync"
	"time"

	contentpb "pluggableharness/content/v1"
	kernelpb "pluggableharness/kernel/v1"
	logpb "pluggableharness/log/v1"
)

// callbacks is the host's side: it counts a thousand tokens for a text and one for each byte of it.
type callbacks struct {
	kernelpb.UnimplementedKernelCallbackServiceServer
	mutex   sync.Mutex
	counted []*kernelpb.CountTokensRequest
	emitted []*kernelpb.EmitRequest
	logged  []*logpb.LogEntry
	flat    int64 // every text counts so many, if not 0
}

func (c *callbacks) CountTokens(_ context.Context, request *kernelpb.CountTokensRequest) (*kernelpb.CountTokensResult, error) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.counted = append(c.counted, request)
	if c.flat != 0 {
		return &kernelpb.CountTokensResult{Count: c.flat, Exact: true}, nil
	}
	return &kernelpb.CountTokensResult{Count: int64(1000 + len(textOf(request.Content))), Exact: true}, nil
}

func (c *callbacks) Emit(_ context.Context, request *kernelpb.EmitRequest) (*kernelpb.EmitResult, error) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.emitted = append(c.emitted, request)
	return &kernelpb.EmitResult{Id: "event", Sequence: int64(len(c.emitted))}, nil
}

func (c *callbacks) Log(_ context.Context, request *kernelpb.LogRequest) (*kernelpb.LogResult, error) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.logged = append(c.logged, request.Entries...)
	return &kernelpb.LogResult{}, nil
}

func (c *callbacks) counts() int {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	return len(c.counted)
}

func (c *callbacks) events() []*kernelpb.EmitRequest {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	return append([]*kernelpb.EmitRequest{}, c.emitted...)
}

func (c *callbacks) lines() []*logpb.LogEntry {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	return append([]*logpb.LogEntry{}, c.logged...)
}

// eventually waits until something holds; what it asks for may be done behind a call's back.
func eventually(what string, holds func() bool) {
	for until := time.Now().Add(10 * time.Second); !holds(); time.Sleep(2 * time.Millisecond) {
		if time.Now().After(until) {
			fail("%s: not within 10 s", what)
		}
	}
}

func textOf(blocks []*contentpb.ContentBlock) string {
	text := ""
	for _, block := range blocks {
		text += block.GetText().GetText()
	}
	return text
}

func blocksOf(text string) []*contentpb.ContentBlock {
	block := &contentpb.ContentBlock_Text{Text: &contentpb.TextBlock{Text: text}}
	return []*contentpb.ContentBlock{{Block: block}}
}

// logBook keeps what go-plugin logs: its own lines and those of the plugin's stderr.
type logBook struct {
	mutex sync.Mutex
	text  bytes.Buffer
}

func (l *logBook) Write(line []byte) (int, error) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	return l.text.Write(line)
}

func (l *logBook) String() string {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	return l.text.String()
}
