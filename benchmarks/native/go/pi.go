// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0

package main

import "math"

const (
	terms  = 100
	slices = million
)

// slice adds up a hundred terms of the series. It is compiled by itself, as it is for all contenders.
//
//go:noinline
func slice(index int) float64 {
	sum := 0.0
	for term := index * terms; term < (index+1)*terms; term++ {
		sum += 4.0 * float64(1-(term&1)*2) / float64(2*term+1)
	}
	return sum
}

// pi sends slices to two workers, and their results to one that adds.
func pi(s scale) *workload {
	return fixed(s.of(slices, 1_000), func(size int, clock *clock) int {
		indices, results := make(chan int, 1_024), make(chan float64, 1_024)
		sum := make(chan float64)
		for range workers {
			go func() {
				for index := range indices {
					results <- slice(index)
				}
			}()
		}
		go func() {
			total := 0.0
			for range size {
				total += <-results
			}
			sum <- total
		}()
		clock.start()
		for index := range size {
			indices <- index
		}
		total := <-sum
		clock.stop()
		close(indices)
		// What the series leaves out is less than its first term that is not added.
		if math.Abs(total-math.Pi) > 2/float64(size*terms)+1e-9 {
			return 1
		}
		return len(results)
	})
}
