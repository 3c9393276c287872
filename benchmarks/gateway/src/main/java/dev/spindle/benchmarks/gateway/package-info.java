// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
/** An HTTP gateway that makes several calls for each request, beside servers that do the same otherwise. */
@NullMarked
package dev.spindle.benchmarks.gateway;

import org.jspecify.annotations.NullMarked;
