// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
/** The breaker of resilience4j behind the interface of {@code spindle-flow}. */
@NullMarked
package dev.spindle.gateway.resilience;

import org.jspecify.annotations.NullMarked;
