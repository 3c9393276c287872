// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
/** Measures the delivery of the latest value of each key when producers are faster than the consumer. */
@NullMarked
package dev.spindle.benchmarks.coalesce;

import org.jspecify.annotations.NullMarked;
