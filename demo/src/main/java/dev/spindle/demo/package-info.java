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
 * <p>Each contender replays the same events into its own {@link dev.spindle.demo.Fleet}, whose aircraft have their
 * state in plain fields. The final state equals that of handling the events one by one only if the contender keeps the
 * order per aircraft and makes each turn's writes visible to the next.
 */
@NullMarked
package dev.spindle.demo;

import org.jspecify.annotations.NullMarked;
