// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0

/** Events for Java Flight Recorder, on runtimes that have the recorder. */
@NullMarked
package dev.spindle.internal.jfr;

import org.jspecify.annotations.NullMarked;
