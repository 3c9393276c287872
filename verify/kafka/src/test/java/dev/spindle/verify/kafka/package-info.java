// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Storms: a broker, a producer, and consumers in processes of their own that join, leave, freeze and are killed while
 * records flow. A check of the journals of all processes judges each run.
 */
@NullMarked
package dev.spindle.verify.kafka;

import org.jspecify.annotations.NullMarked;
