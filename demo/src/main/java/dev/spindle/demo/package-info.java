// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
/**
 * The command line of Spindle: {@code spindle demo} replays real flights, and {@code spindle example} runs small
 * programs.
 *
 * <p>The classes of the demo:
 *
 * <pre>
 *  FlightSource -> FlightReader -> Timeline -> Replay --+-> ExecutorsContender --+
 *  (file, gzip)    (rows, faults)  (ordered     (feeds) +-> VirtualContender ----+-> Verdict, Report
 *                                   events)             +-> SpindleContender ----+   (states, figures)
 * </pre>
 *
 * <p>Each run replays the same events with its own {@link dev.spindle.demo.Fleet}, whose aircraft keep their state in
 * plain fields. A contender must keep the order per aircraft and make each turn's writes visible to the next turn.
 * Otherwise the final state may differ from that after one thread has handled all events in order.
 */
@NullMarked
package dev.spindle.demo;

import org.jspecify.annotations.NullMarked;
