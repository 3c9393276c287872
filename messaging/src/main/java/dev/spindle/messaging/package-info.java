// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0

/** Classes that actors, pipelines, coalescers and channels share. Not exported. */
@NullMarked
package dev.spindle.messaging;

import org.jspecify.annotations.NullMarked;
