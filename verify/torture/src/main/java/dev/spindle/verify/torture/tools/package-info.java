// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0

/**
 * What all kinds of random programs stand on: pauses, patience, threads of all sorts, and what is said of a pool that
 * hangs.
 */
@NullMarked
package dev.spindle.verify.torture.tools;

import org.jspecify.annotations.NullMarked;
