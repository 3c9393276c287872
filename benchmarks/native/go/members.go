// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"sync"
	"sync/atomic"
)

// pingPong has two goroutines that hand a numbered ball to and fro.
func pingPong() *workload {
	return &workload{1_000, 4_000_000, func(size int, clock *clock) int {
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
	}}
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
	return &workload{64_000, 20_000_000, func(size int, clock *clock) int {
		before := wrong.Load()
		done.Add(tokens)
		clock.start()
		for i := range tokens {
			inboxes[i*members/tokens] <- token{int32(size / tokens), fromOutside}
		}
		done.Wait()
		clock.stop()
		return int(wrong.Load() - before)
	}}
}

// message is the number of its sender and its own number.
type message struct {
	sender, number uint32
}

// tell has goroutines that send to one, as fast as they can.
func tell(senders, messages int) *workload {
	share := messages / senders
	return &workload{share * senders, share * senders, func(size int, clock *clock) int {
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
	}}
}

// receiver checks values of several senders, of which it gets some: those of one sender come in order.
type receiver struct {
	next  [4]uint32 // the least number that may come
	sum   uint64
	wrong int
}

func (r *receiver) receive(m message) {
	if m.number < r.next[m.sender] {
		r.wrong++
	}
	r.next[m.sender] = m.number + 1
	r.sum += uint64(m.number)
}

// channel has so many goroutines that send and as many that receive.
func channel(capacity, parties int) *workload {
	return &workload{1_000 * parties, 4_000_000, func(size int, clock *clock) int {
		share := size / parties
		values := make(chan message, capacity)
		begin := make(chan struct{})
		results := make(chan *receiver)
		for sender := range uint32(parties) {
			go func() {
				<-begin
				for number := range uint32(share) {
					values <- message{sender, number}
				}
			}()
			go func() {
				r := &receiver{}
				for range share {
					r.receive(<-values)
				}
				results <- r
			}()
		}
		clock.start()
		close(begin)
		violations, left := 0, uint64(parties)*uint64(share)*uint64(share-1)/2
		for range parties {
			r := <-results
			violations += r.wrong
			left -= r.sum
		}
		clock.stop()
		if left != 0 {
			violations++ // one value in place of another
		}
		return violations + len(values)
	}}
}

// selectOfFour has a goroutine that sends to each of four channels in turn, and one that receives from any.
func selectOfFour() *workload {
	return &workload{1_000, 4_000_000, func(size int, clock *clock) int {
		var channels [4]chan int
		for i := range channels {
			channels[i] = make(chan int)
		}
		result := make(chan int)
		begin := make(chan struct{})
		go func() {
			<-begin
			for number := range size {
				channels[number%4] <- number
			}
		}()
		go func() {
			wrong := 0
			for expected := range size {
				var number int
				select {
				case number = <-channels[0]:
				case number = <-channels[1]:
				case number = <-channels[2]:
				case number = <-channels[3]:
				}
				if number != expected {
					wrong++
				}
			}
			result <- wrong
		}()
		clock.start()
		close(begin)
		wrong := <-result
		clock.stop()
		return wrong
	}}
}
