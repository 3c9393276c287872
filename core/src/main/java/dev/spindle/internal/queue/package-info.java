// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0

/**
 * The queues of ready entries: a shared injection queue, a run queue for each worker, and a ready queue that combines
 * them.
 */
@NullMarked
package dev.spindle.internal.queue;

import org.jspecify.annotations.NullMarked;
