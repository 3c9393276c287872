// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0

/**
 * The internals of {@code dev.spindle}: no part of the API, free to change in any release. This package holds what its
 * subpackages share, and what other modules of the library may use.
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
