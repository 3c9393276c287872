// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0

/** The command {@code ./spindle bench kafka}: consumers that keep the order of keys, compared on one broker. */
@NullMarked
package dev.spindle.benchmarks.kafka;

import org.jspecify.annotations.NullMarked;
