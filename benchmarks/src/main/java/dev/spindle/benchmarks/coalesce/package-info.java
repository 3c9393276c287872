// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
/** Question: the cost of showing the latest value of each key, when updates come faster than they can be shown. */
@NullMarked
package dev.spindle.benchmarks.coalesce;

import org.jspecify.annotations.NullMarked;
