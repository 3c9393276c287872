// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0

package main

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
	return growing(1_000*parties, 4_000_000, func(size int, clock *clock) int {
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
	})
}

// selectOfFour has a goroutine that sends to each of four channels in turn, and one that receives from any.
func selectOfFour() *workload {
	return growing(1_000, 4_000_000, func(size int, clock *clock) int {
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
	})
}
