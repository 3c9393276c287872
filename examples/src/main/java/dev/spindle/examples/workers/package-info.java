// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0

/** Runs workers that fail and are restarted, without losing a job. */
@NullMarked
package dev.spindle.examples.workers;

import org.jspecify.annotations.NullMarked;
