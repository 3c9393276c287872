// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"math/rand"
	"sync"
	"sync/atomic"
	"time"
)

// traffic is the events of a pass: which key each is of, and how many each key has.
type traffic struct {
	order  []uint32
	ofKeys []uint32
}

// newTraffic takes few keys in turn, and draws from many.
func newTraffic(keys, events int) traffic {
	t := traffic{make([]uint32, events), make([]uint32, keys)}
	for i := range t.order {
		key := i % keys
		if keys > 16 {
			key = rand.Intn(keys)
		}
		t.order[i] = uint32(key)
		t.ofKeys[key]++
	}
	return t
}

// task is a function and the number of the event, so that none is allocated.
type task struct {
	run    func(p *place, number uint32)
	number uint32
}

// place checks the events of one key.
type place struct {
	next, expected uint32
	wrong          int
	done           *sync.WaitGroup
}

// event is the task of all events.
func event(p *place, number uint32) {
	if number != p.next {
		p.wrong++
	}
	p.next++
	if p.next == p.expected {
		p.done.Done()
	}
}

// keysByGoroutine has a goroutine and a channel for each key, made before the clock starts.
func keysByGoroutine(keys, events int) *workload {
	return &workload{events, events, func(size int, clock *clock) int {
		t := newTraffic(keys, size)
		var done, ended sync.WaitGroup
		places := make([]place, keys)
		inboxes := make([]chan task, keys)
		for key := range inboxes {
			places[key] = place{expected: t.ofKeys[key], done: &done}
			if t.ofKeys[key] > 0 {
				done.Add(1)
			}
			inboxes[key] = make(chan task, max(16, 16_384/keys))
			ended.Add(1)
			go func() {
				defer ended.Done()
				for task := range inboxes[key] {
					task.run(&places[key], task.number)
				}
			}()
		}
		numbers := make([]uint32, keys)
		clock.start()
		for _, key := range t.order {
			inboxes[key] <- task{event, numbers[key]}
			numbers[key]++
		}
		done.Wait()
		clock.stop()
		violations := 0
		for key := range inboxes {
			close(inboxes[key])
		}
		ended.Wait()
		for _, p := range places { // out of order, too often or not at all
			violations += p.wrong + max(int(p.next)-int(p.expected), int(p.expected)-int(p.next))
		}
		return violations
	}}
}

// counter counts the tasks of one worker and sums up their numbers, on a cache line of its own.
type counter struct {
	count, sum atomic.Int64
	_          [112]byte
}

// tasks sends tasks, a function and a number, to workers on one channel.
func tasks(size int) *workload {
	type task struct {
		run    func(c *counter, number int)
		number int
	}
	queue := make(chan task, 1_024)
	var counters [workers]counter
	for i := range counters {
		go func() {
			for next := range queue {
				next.run(&counters[i], next.number)
			}
		}()
	}
	ran := func(c *counter, number int) {
		c.sum.Store(c.sum.Load() + int64(number))
		c.count.Store(c.count.Load() + 1)
	}
	total := func() (count, sum int64) {
		for i := range counters {
			count += counters[i].count.Load()
			sum += counters[i].sum.Load()
		}
		return count, sum
	}
	return &workload{size, size, func(size int, clock *clock) int {
		countBefore, sumBefore := total()
		clock.start()
		for number := range size {
			queue <- task{ran, number}
		}
		count, sum := total()
		for ; count-countBefore < int64(size); count, sum = total() {
			time.Sleep(20 * time.Microsecond)
		}
		clock.stop()
		if sum-sumBefore != int64(size)*int64(size-1)/2 {
			return 1 // one task in place of another
		}
		return int(count-countBefore) - size
	}}
}
