// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0

/**
 * The internals of {@code dev.spindle}, which are not part of the API and may change in any release. This package holds
 * the types that its subpackages share and that other modules of the library use.
 *
 * <pre>{@code
 *  dev.spindle               the public types: use all packages below
 *      │
 *      ├────►  internal.executor          tasks and futures, bounds, shutdown
 *      │              │
 *      │              ├─────────────┐
 *      ▼              ▼             ▼
 *  internal.pool  internal.lane  internal.timer
 *      │              ▼             │
 *      │          internal.limit    │
 *      ▼              ▼             │
 *      └──────►  internal.queue     │
 *                     ▼             │
 *                internal.jfr       │
 *                     ▼             │
 *                 internal  ◄───────┘   entries, scheduler, pool, worker context
 * }</pre>
 */
@NullMarked
package dev.spindle.internal;

import org.jspecify.annotations.NullMarked;
