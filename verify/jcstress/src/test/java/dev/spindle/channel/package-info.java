// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0

/** Claims about channels. */
@NullMarked
package dev.spindle.channel;

import org.jspecify.annotations.NullMarked;
