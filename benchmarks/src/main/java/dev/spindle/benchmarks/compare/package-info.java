// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
/**
 * What comparisons by question share: a {@code Comparison} says which cells there are, who takes part in each and what
 * the goals are; here is what plans, runs, judges and reports it. Another comparison needs its cells, its
 * {@code Subject}s and its goals, and nothing else.
 *
 * <pre>
 *   CompareCommand ----------> ForkRunner ==process==> CompareFork -> Cell.open(contender) -> Subject.pass
 *         |                        |                                                              |
 *   Report, Judge  <-  Results <- ForkResult  <-------------- Measurement <-------------------- Recorder
 * </pre>
 * <p>Every fork is one contender in one cell: passes that warm up, a collection, then passes that are timed. A figure
 * of the fork is the median of its passes, where {@code Figure} does not say otherwise. Each pass checks what it ran;
 * what was lost, doubled or out of order is a violation, and a comparison with one ends with 1.
 */
@NullMarked
package dev.spindle.benchmarks.compare;

import org.jspecify.annotations.NullMarked;
