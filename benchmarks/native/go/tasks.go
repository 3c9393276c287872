// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"sync/atomic"
	"time"
)

const (
	million = 1_000_000
	workers = 2
	stripes = 64
)

// tally counts the tasks of a pass, each in a stripe by its number, so that two at once seldom share a cache line. The
// first pass of a process has a count for each task besides.
type tally struct {
	stripes [stripes]struct {
		count atomic.Int64
		_     [56]byte
	}
	runs []atomic.Int32
}

func newTally(size int, checked bool) *tally {
	t := &tally{}
	if checked {
		t.runs = make([]atomic.Int32, size)
	}
	return t
}

func (t *tally) ran(number int) {
	if t.runs != nil {
		t.runs[number].Add(1)
	}
	t.stripes[number%stripes].count.Add(1)
}

// tasks returns the task of each number: its own in a checked pass, else one for each stripe, so that nothing is
// allocated.
func (t *tally) tasks() func(number int) func() {
	if t.runs != nil {
		return func(number int) func() { return func() { t.ran(number) } }
	}
	var shared [stripes]func()
	for i := range shared {
		shared[i] = func() { t.ran(i) }
	}
	return func(number int) func() { return shared[number%stripes] }
}

func (t *tally) sum() (sum int) {
	for i := range t.stripes {
		sum += int(t.stripes[i].count.Load())
	}
	return sum
}

func (t *tally) await(size int) {
	for t.sum() < size {
		time.Sleep(20 * time.Microsecond)
	}
}

// violations is how many tasks did not run exactly once.
func (t *tally) violations(size int) int {
	if t.runs == nil {
		return t.sum() - size
	}
	wrong := 0
	for i := range t.runs {
		if t.runs[i].Load() != 1 {
			wrong++
		}
	}
	return wrong
}

// tallied makes a workload of empty tasks; begin hands them over and may return before they ran.
func tallied(s scale, begin func(t *tally, size int)) *workload {
	checked := true
	return fixed(s.of(million, 1_000), func(size int, clock *clock) int {
		t := newTally(size, checked)
		checked = false
		clock.start()
		begin(t, size)
		t.await(size)
		clock.stop()
		return t.violations(size)
	})
}

// tasksByGoroutine starts a goroutine for each task.
func tasksByGoroutine(s scale) *workload {
	return tallied(s, func(t *tally, size int) {
		task := t.tasks()
		for number := range size {
			go task(number)()
		}
	})
}

// tasksByPool sends the tasks to workers on one channel.
func tasksByPool(s scale) *workload {
	queue := make(chan func(), 1_024)
	for range workers {
		go func() {
			for task := range queue {
				task()
			}
		}()
	}
	return tallied(s, func(t *tally, size int) {
		task := t.tasks()
		for number := range size {
			queue <- task(number)
		}
	})
}

// tasksInside is a tree: each goroutine starts two others and waits for none.
func tasksInside(s scale) *workload {
	return tallied(s, func(t *tally, size int) { go node(t, 0, size) })
}

func node(t *tally, number, size int) {
	for child := 2*number + 1; child <= 2*number+2 && child < size; child++ {
		go node(t, child, size)
	}
	t.ran(number)
}
