// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
/**
 * Question: what does order per key cost, beside the executors that people use for it today?
 *
 * <p>{@code GatlingCommand} compares whole processes: one forked JVM per round, cell and contender, rounds outermost,
 * contenders in turn, and a physical limit that does the same work on plain threads without any hand-over.
 * {@code KeysCommand} measures one keyed task and one idle key.
 *
 * <pre>
 *   GatlingCommand -> Plan -> ForkRunner ==process==> KeyedFork -> Passes -> Contender.open(workload)
 *         |                       |
 *      Report, Goals  <-----  ForkResult
 * </pre>
 */
@NullMarked
package dev.spindle.benchmarks.keyed;

import org.jspecify.annotations.NullMarked;
