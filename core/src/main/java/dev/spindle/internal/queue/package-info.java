// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Queues of ready entries: one for entries from outside, one for each worker, and both together as workers see them.
 */
@NullMarked
package dev.spindle.internal.queue;

import org.jspecify.annotations.NullMarked;
