// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0

/** Random programs of channels. */
@NullMarked
package dev.spindle.verify.torture.channels;

import org.jspecify.annotations.NullMarked;
