// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0

// The Go side of ./spindle bench native: one cell and one contender in a process, driven by lines on standard input.
//
// Usage: native CELL CONTENDER FACTOR. For each line "pass" it runs one pass and answers with one line of figures; it
// ends at the end of the input.
package main

import (
	"bufio"
	"fmt"
	"os"
	"strconv"
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

// fixed makes a workload whose passes are all of one size.
func fixed(size int, pass func(size int, clock *clock) int) *workload {
	return &workload{size, size, pass}
}

// growing makes a workload whose passes grow until they take long enough.
func growing(first, most int, pass func(size int, clock *clock) int) *workload {
	return &workload{first, most, pass}
}

const longEnough = 150_000_000 // nanoseconds

var workloads = map[string]func(s scale) *workload{
	"keys-16 go":            func(s scale) *workload { return keysByGoroutine(16, 800_000, s) },
	"keys-1000 go":          func(s scale) *workload { return keysByGoroutine(1_000, 800_000, s) },
	"keys-100000 go":        func(s scale) *workload { return keysByGoroutine(100_000, 1_000_000, s) },
	"keys-16 go-serial":     func(s scale) *workload { return keysBySerial(16, 800_000, s) },
	"keys-1000 go-serial":   func(s scale) *workload { return keysBySerial(1_000, 800_000, s) },
	"keys-100000 go-serial": func(s scale) *workload { return keysBySerial(100_000, 1_000_000, s) },
	"tasks-outside go":      tasksByGoroutine,
	"tasks-outside go-pool": tasksByPool,
	"tasks-inside go":       tasksInside,
	"ping-pong go":          func(scale) *workload { return pingPong() },
	"ring-64 go":            func(scale) *workload { return ring(64) },
	"tell-1 go":             func(s scale) *workload { return tell(1, s) },
	"fan-in-32 go":          func(s scale) *workload { return tell(32, s) },
	"rendezvous go":         func(scale) *workload { return channel(0, 1) },
	"channel-1 go":          func(scale) *workload { return channel(1, 1) },
	"channel-64 go":         func(scale) *workload { return channel(64, 1) },
	"channel-1024 go":       func(scale) *workload { return channel(1_024, 1) },
	"channel-1-4to4 go":     func(scale) *workload { return channel(1, 4) },
	"channel-64-4to4 go":    func(scale) *workload { return channel(64, 4) },
	"channel-1024-4to4 go":  func(scale) *workload { return channel(1_024, 4) },
	"select-4 go":           func(scale) *workload { return selectOfFour() },
	"pi go-pool":            pi,
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
