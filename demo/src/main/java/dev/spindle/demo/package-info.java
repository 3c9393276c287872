// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
/**
 * The command line of Spindle: {@code spindle demo} replays real flights, {@code spindle example} runs small
 * programs in the style of real ones, {@code spindle bench} runs comparisons.
 *
 * <p>The demo, from left to right:
 *
 * <pre>
 *  FlightSource -> FlightReader -> Timeline -> Replay --+-> ExecutorsContender --+
 *  (file, gzip)    (rows, faults)  (ordered     (feeds) +-> VirtualContender ----+-> Verdict, Report
 *                                   events)             +-> SpindleContender ----+   (states, figures)
 * </pre>
 *
 * <p>Each contender replays the same events into a {@link dev.spindle.demo.Fleet} of its own, whose aircraft keep their
 * state in plain fields: only one that keeps the order per aircraft, and makes each turn visible to the next, ends in
 * the state of handling the events one by one.
 */
@NullMarked
package dev.spindle.demo;

import org.jspecify.annotations.NullMarked;
