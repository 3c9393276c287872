// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0

/**
 * The watch over a pool: which thread looks at the time and at the workers, and when. The clock thread does, while
 * there is a timer or a reason to look ({@link WatchdogState}). The completer acts on the time limits that have passed.
 * What a look does is up to the pool ({@link WatchedPool}).
 */
@NullMarked
package dev.spindle.internal.pool.watch;

import org.jspecify.annotations.NullMarked;
