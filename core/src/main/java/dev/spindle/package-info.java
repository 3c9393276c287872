// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0

/**
 * An executor that runs tasks in order per key on one elastic pool of few threads.
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
 * <p>A <em>lane</em> holds the tasks of one key. At most one worker runs it at any time, so the tasks of a key run one
 * after another in the order of their submits, and each sees the writes of those before it. Tasks of different keys run
 * in parallel, on no more threads than necessary. A lane holds no thread, and an idle lane is removed.
 *
 * <p>Start at {@link dev.spindle.Spindle}.
 */
@NullMarked
package dev.spindle;

import org.jspecify.annotations.NullMarked;
