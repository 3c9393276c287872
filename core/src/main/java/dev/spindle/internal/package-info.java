// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0

/**
 * The machinery under {@code dev.spindle}: no part of the API, free to change in any release. This package is what its
 * parts share, and what other modules of the library may use; the parts are packages below it.
 *
 * <pre>{@code
 *  dev.spindle               the face: knows everything here
 *      │
 *      ├──────────────┬─────────────┐
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
