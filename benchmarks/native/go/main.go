// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0

// The Go side of ./spindle bench: one cell and one contender in a process, driven by lines on standard input.
//
// Usage: native CELL CONTENDER FACTOR. For each line "pass" it runs one pass and answers with one line of figures; it
// ends at the end of the input.
package main

import (
	"bufio"
	"fmt"
	"os"
	"strconv"
	"syscall"
	"time"
)

const (
	million    = 1_000_000
	workers    = 2
	longEnough = 150_000_000 // nanoseconds
)

// scale says how large the passes are: 1 for the real thing.
type scale float64

// of returns a number scaled down, but not below least.
func (s scale) of(full, least int) int {
	return max(least, int(float64(full)*float64(s)))
}

// workload is a contender at work in a cell.
type workload struct {
	// size is the operations of the next pass; it doubles, at most to most, while passes are too short to be timed.
	size, most int
	// pass prepares, runs the operations between clock.start and clock.stop, and returns what was lost, doubled or out
	// of order.
	pass func(size int, clock *clock) int
}

var workloads = map[string]func(s scale) *workload{
	"keys-16 go":            func(s scale) *workload { return keysByGoroutine(16, s.of(800_000, 1_000)) },
	"keys-1000 go":          func(s scale) *workload { return keysByGoroutine(1_000, s.of(800_000, 1_000)) },
	"keys-100000 go":        func(s scale) *workload { return keysByGoroutine(100_000, s.of(million, 1_000)) },
	"tasks-outside go-pool": func(s scale) *workload { return tasks(s.of(million, 1_000)) },
	"ping-pong go":          func(scale) *workload { return pingPong() },
	"ring-64 go":            func(scale) *workload { return ring(64) },
	"tell-1 go":             func(s scale) *workload { return tell(1, s.of(million, 1_000)) },
	"tell-32 go":            func(s scale) *workload { return tell(32, s.of(million, 1_000)) },
	"rendezvous go":         func(scale) *workload { return channel(0, 1) },
	"buffered-1 go":         func(scale) *workload { return channel(1, 1) },
	"buffered-64 go":        func(scale) *workload { return channel(64, 1) },
	"buffered-1024 go":      func(scale) *workload { return channel(1_024, 1) },
	"buffered-1-4to4 go":    func(scale) *workload { return channel(1, 4) },
	"buffered-64-4to4 go":   func(scale) *workload { return channel(64, 4) },
	"buffered-1024-4to4 go": func(scale) *workload { return channel(1_024, 4) },
	"select-4 go":           func(scale) *workload { return selectOfFour() },
}

func main() {
	if len(os.Args) != 4 {
		fail("usage: native CELL CONTENDER FACTOR")
	}
	factor, err := strconv.ParseFloat(os.Args[3], 64)
	if err != nil {
		fail("FACTOR is no number: " + os.Args[3])
	}
	open, found := workloads[os.Args[1]+" "+os.Args[2]]
	if !found {
		fail(os.Args[2] + " takes no part in " + os.Args[1])
	}
	work := open(scale(factor))
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
		if lines.Text() != "pass" {
			fail("unknown request: " + lines.Text())
		}
		clock := &clock{}
		violations := work.pass(work.size, clock)
		fmt.Printf("ops=%d violations=%d %s\n", work.size, violations, clock)
		if clock.nanos < longEnough {
			work.size = min(work.most, 2*work.size)
		}
	}
}

func fail(message string) {
	fmt.Fprintln(os.Stderr, message)
	os.Exit(2)
}

// clock measures what a pass costs the whole process.
type clock struct {
	begun                      time.Time
	before                     syscall.Rusage
	nanos, cpu, waited, ousted int64
}

func (c *clock) start() {
	c.before = usage()
	c.begun = time.Now()
}

func (c *clock) stop() {
	c.nanos = time.Since(c.begun).Nanoseconds()
	after := usage()
	c.cpu = after.Utime.Nano() + after.Stime.Nano() - c.before.Utime.Nano() - c.before.Stime.Nano()
	c.waited = after.Nvcsw - c.before.Nvcsw
	c.ousted = after.Nivcsw - c.before.Nivcsw
}

func (c *clock) String() string {
	return fmt.Sprintf("nanos=%d cpu_nanos=%d voluntary=%d involuntary=%d", c.nanos, c.cpu, c.waited, c.ousted)
}

func usage() (usage syscall.Rusage) {
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		panic(err)
	}
	return usage
}
