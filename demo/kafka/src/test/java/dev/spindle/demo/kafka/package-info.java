// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0

/** Tests of the demo of Kafka. */
@NullMarked
package dev.spindle.demo.kafka;

import org.jspecify.annotations.NullMarked;
