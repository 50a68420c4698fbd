package main

import (
	"context"
	"fmt"
	"sync"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	memorypb "pluggableharness/memory/v1"
)

// together runs a function many times at once and fails the check if any of them does.
func together(times int, run func(number int)) {
	var group sync.WaitGroup
	failures := make(chan interface{}, times)
	for i := 0; i < times; i++ {
		group.Add(1)
		go func(number int) {
			defer group.Done()
			defer func() {
				if caught := recover(); caught != nil {
					failures <- caught
				}
			}()
			run(number)
		}(i)
	}
	group.Wait()
	if len(failures) > 0 {
		panic(<-failures)
	}
}

var loadChecks = []check{
	{"64 calls in flight, reads and writes", func() {
		p := ready(nil)
		id := approved(p, "Read by all", "x")
		together(64, func(number int) {
			switch number % 4 {
			case 0:
				recorded(p, "Same title", fmt.Sprint(number))
			case 1:
				equal("got", got(p, id).Id, id)
			case 2:
				recalled(p, &memorypb.RecallRequest{})
			default:
				listed(p, &memorypb.ListRecordsRequest{PageSize: 7})
			}
		})
		equal("records", len(listed(p, &memorypb.ListRecordsRequest{})), 17)
	}},
	{"two plugin processes on one store", func() {
		first := ready(nil)
		second := introduced(start(*memoryBinary, &callbacks{}), nil)
		together(32, func(number int) {
			recorded([]*provider{first, second}[number%2], "Same title", fmt.Sprint(number))
		})
		ids := map[string]bool{}
		for _, id := range listed(first, &memorypb.ListRecordsRequest{}) {
			ids[id] = true
		}
		equal("ids", len(ids), 32)
		equal("seen by the other", len(listed(second, &memorypb.ListRecordsRequest{})), 32)
	}},
	{"two plugin processes make a new store at once", func() {
		freshHome()
		first, second := start(*memoryBinary, nil), start(*memoryBinary, nil)
		together(2, func(number int) {
			recorded([]*provider{first, second}[number], "First", fmt.Sprint(number))
		})
		equal("records", len(listed(first, &memorypb.ListRecordsRequest{})), 2)
	}},
	{"deadline: a call given up is answered at once and writes nothing", func() {
		p := ready(nil)
		id := recorded(p, "Stays", "old")
		release := locked(storePath())
		ctx, cancel := context.WithTimeout(context.Background(), 200*time.Millisecond)
		defer cancel()
		_, err := p.memory.UpdateRecord(ctx, &memorypb.UpdateRecordRequest{Id: id, Content: blocksOf("too late")})
		equal("code", status.Code(err), codes.DeadlineExceeded)
		release()
		recorded(p, "Takes the lock after it", "x")
		equal("text", textOf(got(p, id).Content), "old")
	}},
	{"cancellation: CANCELLED, never an error of the application", func() {
		p := ready(nil)
		recorded(p, "There", "x")
		release := locked(storePath())
		ctx, cancel := context.WithCancel(context.Background())
		time.AfterFunc(100*time.Millisecond, cancel)
		_, err := p.memory.DeleteRecord(ctx, &memorypb.DeleteRecordRequest{Id: "there"})
		equal("code", status.Code(err), codes.Canceled)
		release()
		recorded(p, "Takes the lock after it", "x")
		equal("still there", got(p, "there").Id, "there")
	}},
}
