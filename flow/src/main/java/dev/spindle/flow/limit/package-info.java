// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Limits of the number of concurrent calls: fixed limits, and limits learned from the ends of calls. A {@code Bulkhead}
 * of {@code dev.spindle.flow} enforces these limits.
 */
@NullMarked
package dev.spindle.flow.limit;

import org.jspecify.annotations.NullMarked;
