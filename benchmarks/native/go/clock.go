// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"syscall"
	"time"
)

// clock measures what a pass costs the whole process.
type clock struct {
	begun  time.Time
	before syscall.Rusage
	nanos  int64
	cpu    int64
	waited int64
	ousted int64
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
