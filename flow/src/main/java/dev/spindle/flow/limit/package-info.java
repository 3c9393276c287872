// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Limits on how many calls go on at once: fixed ones, and ones that are learned from how calls end. A {@code Bulkhead}
 * of {@code dev.spindle.flow} enforces them.
 */
@NullMarked
package dev.spindle.flow.limit;

import org.jspecify.annotations.NullMarked;
