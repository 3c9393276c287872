// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Many strands, few threads: one elastic pool of workers that runs tasks in order per key.
 *
 * <pre>{@code
 *  execute(task)            ─────────────────────────────┐
 *  keyed().execute(k, task) ──► lane of k  ─┐            ▼
 *  keyed().coalesce(k, ..)  ──► lane of k   ├─► ready ─► workers (core .. max)
 *  strand("db").execute(..) ──► its lane   ─┤
 *  executor("reads").build().execute(..) ───┘
 *  schedule(task, delay)    ──► timer ──► one of the above when due
 * }</pre>
 *
 * <p>A <em>lane</em> holds the tasks of one key and is run by at most one worker at a time, so the tasks of a key run
 * one after another, in the order they were submitted, and each sees what those before it wrote. Tasks of different
 * keys run in parallel on as few threads as keep up. A lane costs no thread, and nothing at all once it is idle.
 *
 * <p>Start at {@link dev.spindle.Spindle}.
 */
@NullMarked
package dev.spindle;

import org.jspecify.annotations.NullMarked;
