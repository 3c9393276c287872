// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
/**
 * Runs random programs on an executor and checks the executor's promises.
 *
 * <p>A program is data that is generated from a seed: the shape of the pool, the steps of each producer, and the
 * shutdowns. A run executes the program on a pool and writes a log, and the checker compares the log with the program.
 * Nothing is chosen at random during a run, so a program that fails can be shrunk, printed, stored and run again.
 *
 * <pre>
 *   seed -> Generator -> Program (Step, Op) -> Run (Target, Job, Place, Handles, Shutdowns) -> Log
 *                           |  ^                                                     |
 *              ProgramText  |  |                     Checker (Turns, Timeline) <-----+
 *              (a file) <---+  +--- Shrinker (Simpler) <---- Violations (Promise) <--+
 * </pre>
 *
 * <p>The memory effects are checked by plain fields: only the executor orders the accesses of submitters, tasks and
 * turns. Every third program is exact. A common clock records times of its events, which reveals more violations of
 * order but hides some stale reads.
 *
 * <p>Each other {@link dev.spindle.verify.torture.Kind} is a {@link dev.spindle.verify.torture.tools.RandomProgram},
 * which checks itself and is not shrunk.
 *
 * <p>Other tests check the promises K1, K7 (memory), N1, N2, T4 to T6, M1 and M2.
 */
@NullMarked
package dev.spindle.verify.torture;

import org.jspecify.annotations.NullMarked;
