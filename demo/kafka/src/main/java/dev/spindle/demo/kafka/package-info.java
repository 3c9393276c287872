// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0

/** The command {@code ./spindle kafka demo}: the flights, handled by several processes that come and go. */
@NullMarked
package dev.spindle.demo.kafka;

import org.jspecify.annotations.NullMarked;
