// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0

/** Workers that fail, are restarted, and lose no job. */
@NullMarked
package dev.spindle.examples.workers;

import org.jspecify.annotations.NullMarked;
