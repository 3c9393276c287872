// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
/**
 * The command line of Spindle: {@code spindle demo} replays real flights, {@code spindle example} runs small
 * programs in the style of real ones, {@code spindle bench} runs comparisons.
 *
 * <p>The demo, from left to right:
 *
 * <pre>
 *  FlightSource -> FlightReader -> Timeline -> Replay --+-> SpindleContender --+
 *  (file, gzip)    (rows, faults)  (ordered     (feeds) +-> StripedContender --+-> Verdict, Report
 *                                   events)             +-> OneThread ---------+   (states, boards, counts)
 * </pre>
 *
 * <p>Each contender replays the same events into a {@link dev.spindle.demo.World} of its own, whose aircraft keep their
 * state in plain fields: only an executor that keeps the order per aircraft, and makes each turn visible to the next,
 * ends in the state of the run on one thread.
 */
@NullMarked
package dev.spindle.demo;

import org.jspecify.annotations.NullMarked;
