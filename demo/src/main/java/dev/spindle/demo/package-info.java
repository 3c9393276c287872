// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
/**
 * The command line of Spindle: {@code spindle demo} replays real flights, and {@code spindle example} runs small
 * programs.
 *
 * <p>The main classes of the demo:
 *
 * <pre>
 *  FlightSource -> FlightReader -> Timeline -> Replay --+-> ExecutorsContender --+
 *  (file, gzip)    (rows, faults)  (ordered     (feeds) +-> VirtualContender ----+-> Verdict, Report
 *                                   events)             +-> SpindleContender ----+   (states, figures)
 * </pre>
 *
 * <p>Each run replays the same events with its own {@link dev.spindle.demo.Fleet}, whose aircraft keep their state in
 * plain fields. The report compares the final state with that of one thread that handles all events in order. The
 * states are equal only if the contender keeps the order per aircraft and makes the writes of each turn visible to the
 * next.
 */
@NullMarked
package dev.spindle.demo;

import org.jspecify.annotations.NullMarked;
