// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
/** Measures the cost of HTTP requests for which a gateway makes several calls, compared with other servers. */
@NullMarked
package dev.spindle.benchmarks.gateway;

import org.jspecify.annotations.NullMarked;
