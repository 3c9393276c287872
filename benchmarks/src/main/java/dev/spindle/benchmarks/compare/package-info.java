// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
/**
 * The runner of all comparisons. A {@code Comparison} is a table of cells, each with the contenders that take part, and
 * the goals. A new comparison needs its cells, its {@code Subject}s and its goals.
 *
 * <pre>
 *   CompareCommand ---------&gt; ForkRunner ==process==&gt; CompareFork -&gt; Cell.open(contender) -&gt; Subject.pass
 *         |                        |                                                              |
 *   Report, Judge  &lt;-  Results &lt;- ForkResult  &lt;-----------------------------------------  Recorder
 * </pre>
 * <p>A fork runs one contender in one cell: passes that warm up, a collection, then passes that are timed. A figure of
 * the fork is the median of its passes, unless {@code Figure} says otherwise. Each pass checks its operations.
 * Operations that are lost, doubled or out of order are violations, and a comparison with a violation exits with 1.
 */
@NullMarked
package dev.spindle.benchmarks.compare;

import org.jspecify.annotations.NullMarked;
