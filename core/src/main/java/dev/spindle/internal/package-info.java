// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0

/**
 * The machinery under {@code dev.spindle}: no part of the API, free to change in any release.
 *
 * <pre>{@code
 *  dev.spindle            the face: knows this package
 *      │ calls
 *      ▼
 *  dev.spindle.internal   queues, workers, timers: knows the JDK alone, never the face
 * }</pre>
 */
@NullMarked
package dev.spindle.internal;

import org.jspecify.annotations.NullMarked;
