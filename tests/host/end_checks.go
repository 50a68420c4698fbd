package main

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"time"

	memorypb "pluggableharness/memory/v1"
)

var endChecks = []check{
	{"kill: exit code 0 within a second, the socket gone", func() {
		p := ready(nil)
		recorded(p, "There", "x")
		socket := p.client.ReattachConfig().Addr.String()
		started := time.Now()
		p.client.Kill()
		took := time.Since(started)
		equal("exit code", p.cmd.ProcessState.ExitCode(), 0)
		that(took < time.Second, "it took %v", took)
		_, err := os.Stat(socket)
		that(os.IsNotExist(err), "%s is still there", socket)
	}},
	{"kill: also with 64 calls that wait for a lock", func() {
		p := ready(nil)
		id := recorded(p, "There", "x")
		release := locked(storePath())
		defer release()
		ctx, cancel := context.WithCancel(context.Background())
		defer cancel()
		for i := 0; i < 64; i++ {
			go p.memory.DeleteRecord(ctx, &memorypb.DeleteRecordRequest{Id: id})
		}
		time.Sleep(100 * time.Millisecond) // some of them must have arrived, none can end
		started := time.Now()
		p.client.Kill()
		equal("exit code", p.cmd.ProcessState.ExitCode(), 0)
		that(time.Since(started) < 2*time.Second, "it took %v", time.Since(started))
	}},
	{"ctrl-c to the group: the plugin goes on", func() {
		p := ready(nil)
		must(syscall.Kill(-p.cmd.Process.Pid, syscall.SIGINT))
		equal("id", recorded(p, "Still here", "x"), "still-here")
	}},
	{"sigterm is a clean exit", func() {
		p := ready(nil)
		recorded(p, "There", "x")
		must(p.cmd.Process.Signal(syscall.SIGTERM))
		eventually("the end", p.client.Exited)
		equal("exit code", p.cmd.ProcessState.ExitCode(), 0)
	}},
	{"host death leaves no orphan", func() {
		home := freshHome()
		host := exec.Command(os.Args[0], "-doomed", "-memory", *memoryBinary)
		stdout, err := host.StdoutPipe()
		must(err)
		must(host.Start())
		line, err := bufio.NewReader(stdout).ReadString('\n')
		must(err)
		pid, err := strconv.Atoi(strings.TrimSpace(line))
		must(err)
		must(syscall.Kill(pid, 0))
		must(host.Process.Kill())
		host.Wait()
		eventually("the plugin's end", func() bool { return gone(pid) })
		that(!strings.Contains(listing(home), "sock"), "left behind: %s", listing(home))
	}},
	{"a killed plugin has lost nothing that was answered", func() {
		p := ready(nil)
		for i := 0; i < 10; i++ {
			recorded(p, fmt.Sprintf("Number %d", i), "x")
		}
		must(p.cmd.Process.Kill())
		eventually("the end", p.client.Exited)
		again := introduced(start(*memoryBinary, nil), nil)
		equal("records", len(listed(again, &memorypb.ListRecordsRequest{})), 10)
	}},
}

// waitToBeKilled is a host that dies.
func waitToBeKilled() {
	p := start(*memoryBinary, &callbacks{})
	recorded(p, "There", "x")
	fmt.Println(p.cmd.Process.Pid)
	select {}
}

// gone tells whether a process has ended; one that nobody has waited for yet has.
func gone(pid int) bool {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	return err != nil || strings.Contains(string(stat), ") Z ")
}
