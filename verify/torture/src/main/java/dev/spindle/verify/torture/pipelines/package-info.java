// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0

/** Random programs of pipelines. */
@NullMarked
package dev.spindle.verify.torture.pipelines;

import org.jspecify.annotations.NullMarked;
