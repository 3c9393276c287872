// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
/** Question: the cost of an HTTP request for which a gateway makes several calls, compared with servers. */
@NullMarked
package dev.spindle.benchmarks.gateway;

import org.jspecify.annotations.NullMarked;
