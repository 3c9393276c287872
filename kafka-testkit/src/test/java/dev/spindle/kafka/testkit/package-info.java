// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0

/** Tests with a real broker, and of the checks with journals that are written by hand. */
@NullMarked
package dev.spindle.kafka.testkit;

import org.jspecify.annotations.NullMarked;
