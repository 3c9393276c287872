// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0

/** The claims about memory ordering, one class each, in the packages of the classes that they test. */
@NullMarked
package dev.spindle.actor.internal;

import org.jspecify.annotations.NullMarked;
