// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
/**
 * Question: what does an executor of small tasks cost, beside those that people use today?
 *
 * <p>{@code PoolCommand} compares whole processes: one forked JVM per round, cell and contender, rounds outermost,
 * contenders in turn, and a physical limit that does the same work on plain threads without any hand-over.
 *
 * <pre>
 *   PoolCommand -> Plan -> ForkRunner ==process==> PoolFork -> Stage(contender) -> Workload.pass
 *       |                      |                                   |
 *   Report, Goals, Folder <- ForkResult                    Recorder, Tally
 * </pre>
 * <p>What a workload stands on is in {@code pool.stage}, the workloads are in {@code pool.work}; here is what plans, runs,
 * judges and reports them. {@code DedicatedCommand} stands beside it: how late a task starts in an idle pool that parks,
 * spins, or is pinned.
 */
@NullMarked
package dev.spindle.benchmarks.pool;

import org.jspecify.annotations.NullMarked;
