// A conformance list for memory providers, run by a host on the real hashicorp/go-plugin.
//
// Each check is a named line: "ok" and the name, or "FAIL", the name and why. Exit code 1 if any failed.
package main

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"time"
)

var (
	memoryBinary = flag.String("memory", "memory-inbox", "program of the memory provider")
	toolsBinary  = flag.String("tools", "memory-inbox-tools", "program of the tool provider")
	python       = flag.String("python", "python3", "an interpreter, to lock the database with")
	only         = flag.String("only", "", "run the checks with this in their name")
	exactly      = flag.String("exactly", "", "run the check of this name")
	doomed       = flag.Bool("doomed", false, "launch the memory provider, say its process id and wait to be killed")
	recall       = flag.String("recall", "", "launch the memory provider, say what it recalls for these words, and end")
)

// A check fails by panicking with a failure.
type check struct {
	name string
	run  func()
}

type failure struct{ why string }

func fail(format string, args ...interface{}) {
	panic(failure{fmt.Sprintf(format, args...)})
}

// must fails the check on an error.
func must(err error) {
	if err != nil {
		fail("%v", err)
	}
}

// equal fails the check unless what was got is what was wanted.
func equal(what string, got, want interface{}) {
	if fmt.Sprint(got) != fmt.Sprint(want) {
		fail("%s: got %v, want %v", what, got, want)
	}
}

// that fails the check unless something holds.
func that(holds bool, format string, args ...interface{}) {
	if !holds {
		fail(format, args...)
	}
}

func main() {
	flag.Parse()
	if *doomed {
		waitToBeKilled()
	}
	if *recall != "" {
		sayWhatIsRecalled(*recall)
		return
	}
	lists := [][]check{
		launchChecks, memoryChecks, gateChecks, errorChecks, recallChecks, callbackChecks,
		toolChecks, hookChecks, loadChecks, endChecks, storyChecks,
	}
	failed, ran, started := 0, 0, time.Now()
	for _, list := range lists {
		for _, one := range list {
			if strings.Contains(one.name, *only) && (*exactly == "" || one.name == *exactly) {
				ran++
				if !report(one) {
					failed++
				}
			}
		}
	}
	fmt.Printf("%d checks, %d failed, %.1f s\n", ran, failed, time.Since(started).Seconds())
	if failed > 0 || ran == 0 {
		os.Exit(1)
	}
}

// report runs one check and prints its line.
func report(one check) (passed bool) {
	started := time.Now()
	defer func() {
		if caught := recover(); caught != nil {
			why, known := caught.(failure)
			if !known {
				panic(caught)
			}
			fmt.Printf("FAIL  %s: %s\n", one.name, why.why)
		}
	}()
	defer leaveAll()
	one.run()
	fmt.Printf("ok    %s (%d ms)\n", one.name, time.Since(started).Milliseconds())
	return true
}
