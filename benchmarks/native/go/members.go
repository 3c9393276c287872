// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"sync"
	"sync/atomic"
)

// pingPong has two goroutines that hand a numbered ball to and fro.
func pingPong() *workload {
	return growing(1_000, 4_000_000, func(size int, clock *clock) int {
		there, back := make(chan int, 1), make(chan int, 1)
		result := make(chan int)
		go func() {
			for ball := range there {
				back <- ball + 1
			}
			close(back)
		}()
		begin := make(chan struct{})
		go func() {
			<-begin
			wrong := 0
			for ball := 0; ball < size; ball++ {
				there <- ball
				if <-back != ball+1 {
					wrong++
				}
			}
			result <- wrong
		}()
		clock.start()
		close(begin)
		wrong := <-result
		clock.stop()
		close(there)
		return wrong
	})
}

// token goes round the ring: how many hops are left, and its number on the link over which it comes.
type token struct {
	left, number int32
}

const (
	members     = 1_000
	fromOutside = -1
)

// ring has a goroutine and a channel for each member, which last for all passes. What comes over a link comes in the
// order in which it was sent.
func ring(tokens int) *workload {
	var done sync.WaitGroup
	var wrong atomic.Int64
	inboxes := make([]chan token, members)
	for i := range inboxes {
		inboxes[i] = make(chan token, tokens)
	}
	for i := range inboxes {
		own, next := inboxes[i], inboxes[(i+1)%members]
		go func() {
			var received, sent int32
			for t := range own {
				if t.number != fromOutside {
					if t.number != received {
						wrong.Add(1)
					}
					received++
				}
				if t.left == 0 {
					done.Done()
					continue
				}
				next <- token{t.left - 1, sent}
				sent++
			}
		}()
	}
	return growing(64_000, 20_000_000, func(size int, clock *clock) int {
		before := wrong.Load()
		done.Add(tokens)
		clock.start()
		for i := range tokens {
			inboxes[i*members/tokens] <- token{int32(size / tokens), fromOutside}
		}
		done.Wait()
		clock.stop()
		return int(wrong.Load() - before)
	})
}

// message is the number of its sender and its own number.
type message struct {
	sender, number uint32
}

// tell has goroutines that send to one, as fast as they can.
func tell(senders int, s scale) *workload {
	share := s.of(million, 1_000) / senders
	return fixed(share*senders, func(size int, clock *clock) int {
		inbox := make(chan message, 1_024)
		begin := make(chan struct{})
		result := make(chan int)
		for sender := range uint32(senders) {
			go func() {
				<-begin
				for number := range uint32(share) {
					inbox <- message{sender, number}
				}
			}()
		}
		go func() {
			next := make([]uint32, senders)
			wrong := 0
			for range size {
				m := <-inbox
				if m.number != next[m.sender] {
					wrong++
				}
				next[m.sender]++
			}
			result <- wrong
		}()
		clock.start()
		close(begin)
		wrong := <-result
		clock.stop()
		return wrong + len(inbox)
	})
}
