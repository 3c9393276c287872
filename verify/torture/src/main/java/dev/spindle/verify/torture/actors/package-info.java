// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0

/** Random programs of actors. */
@NullMarked
package dev.spindle.verify.torture.actors;

import org.jspecify.annotations.NullMarked;
