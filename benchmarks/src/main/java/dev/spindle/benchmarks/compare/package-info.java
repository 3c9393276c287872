// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
/**
 * The runner of all comparisons. A {@code Comparison} consists of cells, each with its contenders, and of goals. A new
 * comparison provides cells, {@code Subject}s and goals.
 *
 * <pre>
 *   CompareCommand ---------&gt; ForkRunner ==process==&gt; CompareFork -&gt; Cell.open(contender) -&gt; Subject.pass
 *         |                        |                                                              |
 *   Report, Judge  &lt;-  Results &lt;- ForkResult  &lt;-----------------------------------------  Recorder
 * </pre>
 * <p>A fork runs one contender in one cell: warm-up passes, a garbage collection, and timed passes. The value of a
 * figure is the median of the timed passes, unless {@code Figure} specifies another function. Each pass checks its
 * operations. Operations that are lost, duplicated or out of order are violations. A comparison with a violation has
 * exit status 1.
 */
@NullMarked
package dev.spindle.benchmarks.compare;

import org.jspecify.annotations.NullMarked;
