// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0

/** Classes that actors, pipelines and channels share. The package is not exported. */
@NullMarked
package dev.spindle.messaging;

import org.jspecify.annotations.NullMarked;
