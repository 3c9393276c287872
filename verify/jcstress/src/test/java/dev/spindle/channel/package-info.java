// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0

/** The claims about memory ordering of channels, one class each. */
@NullMarked
package dev.spindle.channel;

import org.jspecify.annotations.NullMarked;
