// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
/**
 * Question: what does it cost to show the latest value of each key, when updates come faster than they can be shown?
 *
 * <pre>
 *   CoalesceCommand -> CoalesceFork ==process==> Pass -> Contender.open(cell, screen)
 *         |                                        |
 *      Report  <-----------------------------  Measurement
 * </pre>
 */
@NullMarked
package dev.spindle.benchmarks.coalesce;

import org.jspecify.annotations.NullMarked;
