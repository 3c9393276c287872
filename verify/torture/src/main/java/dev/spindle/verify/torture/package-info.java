// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
/**
 * Question: does the executor keep its promises in every mix of work?
 *
 * <p>A program is data, made from a seed before anything runs: the pool's shape, and for each producer the steps that
 * it takes again and again. A run executes it on a real pool and leaves a log; the checker compares the two. As nothing
 * is drawn while a program runs, one that fails can be cut down step by step, printed, kept and run again.
 *
 * <pre>
 *   seed -> Generator -> Program (Step, Op) -> Run (Target, Job, Place, Handles, Shutdowns) -> Log
 *                           |  ^                                                     |
 *              ProgramText  |  |                     Checker (Turns, Timeline) <-----+
 *              (a file) <---+  +--- Shrinker (Simpler) <---- Violations (Promise) <--+
 * </pre>
 *
 * <p>Memory effects are proved by plain fields: what submitters, tasks and turns leave for one another is ordered by
 * the executor alone. Every third program is exact: it notes times by a common clock too, which shows more order and
 * hides some staleness.
 *
 * <p>A {@link dev.spindle.verify.torture.Kind} of another sort is a {@link
 * dev.spindle.verify.torture.tools.RandomProgram}, which checks itself, and is not cut down.
 *
 * <p>Not checked: K1, K7's memory, N1, N2, T4 to T6, M1 and M2, which have tests of their own.
 */
@NullMarked
package dev.spindle.verify.torture;

import org.jspecify.annotations.NullMarked;
