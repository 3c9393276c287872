// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0

/** Random programs of conflating channels. */
@NullMarked
package dev.spindle.verify.torture.conflations;

import org.jspecify.annotations.NullMarked;
