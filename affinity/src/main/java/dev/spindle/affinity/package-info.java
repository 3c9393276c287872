// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Worker threads that are pinned to cores, for machines or cores that are set aside for one program.
 *
 * <pre>{@code
 *  Spindle.builder().coreThreads(2)
 *      .threadFactory(pinned) ─────────────────► core workers:  trades-1 on core 3, trades-2 on core 2
 *      .auxiliaryThreadFactory(pinned.unpinned()) ► auxiliaries: trades-3, trades-4, .. on any core
 * }</pre>
 *
 * <p>Start at {@link dev.spindle.affinity.PinnedThreads}.
 */
@NullMarked
package dev.spindle.affinity;

import org.jspecify.annotations.NullMarked;
