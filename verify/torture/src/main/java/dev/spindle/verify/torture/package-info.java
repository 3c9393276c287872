// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
/**
 * Question: does the executor keep its promises in every mix of work?
 *
 * <p>A program is data, made from a seed before it runs: the pool's shape, and for each producer the steps that it
 * takes repeatedly. A run executes it on a real pool and writes a log; the checker compares the program with the log.
 * No random choice is made while a program runs, so one that fails can be shrunk step by step, printed, stored and run
 * again.
 *
 * <pre>
 *   seed -> Generator -> Program (Step, Op) -> Run (Target, Job, Place, Handles, Shutdowns) -> Log
 *                           |  ^                                                     |
 *              ProgramText  |  |                     Checker (Turns, Timeline) <-----+
 *              (a file) <---+  +--- Shrinker (Simpler) <---- Violations (Promise) <--+
 * </pre>
 *
 * <p>Memory effects are checked by plain fields: only the executor orders the writes and reads of submitters, tasks and
 * turns. Every third program is exact: it also records times by a common clock, which shows more order and hides some
 * stale reads.
 *
 * <p>Every other {@link dev.spindle.verify.torture.Kind} is a {@link dev.spindle.verify.torture.tools.RandomProgram},
 * which checks itself and is not shrunk.
 *
 * <p>Not checked: K1, K7's memory, N1, N2, T4 to T6, M1 and M2, which have tests of their own.
 */
@NullMarked
package dev.spindle.verify.torture;

import org.jspecify.annotations.NullMarked;
