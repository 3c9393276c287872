// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0

/** Programs that tests run in separate JVMs. They are outside the packages of core, which may be a module there. */
@NullMarked
package dev.spindle.forked;

import org.jspecify.annotations.NullMarked;
