// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0

/**
 * An executor that runs tasks in order per key on one elastic pool of few threads.
 *
 * <pre>{@code
 *  execute(task)                 ─────────────────┐
 *  keyed("a").execute(k, task)   ──► lane of k  ─┐  ▼
 *  keyed("a").coalesce(k, ..)    ──► lane of k   ├─► ready ─► workers (core .. max)
 *  strand("db").execute(task)    ──► its lane   ─┤
 *  executor("io", 8).execute(..) ────────────────┘
 *  schedule(task, delay, unit)   ──► timer ──► one of the above when due
 * }</pre>
 *
 * <p>A <em>lane</em> holds the tasks of one key. At most one worker runs a lane at any time, so the tasks of a key run
 * one after another in the order of their submits. Each task sees the writes of the tasks before it. Tasks of different
 * keys run in parallel. A lane without work holds no thread, and is removed after a time.
 *
 * <p>Start at {@link dev.spindle.Spindle}.
 */
@NullMarked
package dev.spindle;

import org.jspecify.annotations.NullMarked;
