// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
/** Finds and reports stuck work, and names threads after keys. */
@NullMarked
package dev.spindle.internal.stuck;

import org.jspecify.annotations.NullMarked;
