// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0

/** A pool without threads of its own, whose turns run on the executor of a user. */
@NullMarked
package dev.spindle.internal.over;

import org.jspecify.annotations.NullMarked;
