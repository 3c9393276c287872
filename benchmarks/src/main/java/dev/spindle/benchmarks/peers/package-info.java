// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
/** What several questions need to put a peer on its best footing. */
@NullMarked
package dev.spindle.benchmarks.peers;

import org.jspecify.annotations.NullMarked;
