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

// violations is what came out of order, or too often or not at all.
func (p *place) violations() int {
	difference := int(p.next) - int(p.expected)
	return p.wrong + max(difference, -difference)
}

// newPlaces makes the places of all keys; done is done when each key that has events has handled its last.
func newPlaces(t traffic, done *sync.WaitGroup) []place {
	places := make([]place, len(t.ofKeys))
	for key := range places {
		places[key] = place{expected: t.ofKeys[key], done: done}
		if t.ofKeys[key] > 0 {
			done.Add(1)
		}
	}
	return places
}

// keysByGoroutine has a goroutine and a channel for each key, made before the clock starts.
func keysByGoroutine(keys, events int) *workload {
	return &workload{events, events, func(size int, clock *clock) int {
		t := newTraffic(keys, size)
		var done, ended sync.WaitGroup
		places := newPlaces(t, &done)
		inboxes := make([]chan task, keys)
		for key := range inboxes {
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
		for key := range places {
			violations += places[key].violations()
		}
		return violations
	}}
}

// serial runs its tasks one after the other: a submit that finds it idle starts a goroutine, which runs what it finds.
type serial struct {
	mutex   sync.Mutex
	queue   []task
	running bool
	spare   []task // the runner's
	place   place
}

func (s *serial) submit(next task) {
	s.mutex.Lock()
	s.queue = append(s.queue, next)
	idle := !s.running
	s.running = true
	s.mutex.Unlock()
	if idle {
		go s.run()
	}
}

func (s *serial) run() {
	for {
		s.mutex.Lock()
		batch := s.queue
		if len(batch) == 0 {
			s.running = false
			s.mutex.Unlock()
			return
		}
		s.queue = s.spare[:0]
		s.mutex.Unlock()
		for _, next := range batch {
			next.run(&s.place, next.number)
		}
		s.spare = batch
	}
}

// keysBySerial has a mutex and a queue for each key.
func keysBySerial(keys, events int) *workload {
	return &workload{events, events, func(size int, clock *clock) int {
		t := newTraffic(keys, size)
		var done sync.WaitGroup
		serials := make([]serial, keys)
		for key, place := range newPlaces(t, &done) {
			serials[key].place = place
		}
		numbers := make([]uint32, keys)
		clock.start()
		for _, key := range t.order {
			serials[key].submit(task{event, numbers[key]})
			numbers[key]++
		}
		done.Wait()
		clock.stop()
		violations := 0
		for key := range serials {
			serials[key].mutex.Lock()
			violations += serials[key].place.violations()
			serials[key].mutex.Unlock()
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
