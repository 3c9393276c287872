// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
/** The built jars as users get them: what is in them, and programs that are compiled and linked against them. */
@NullMarked
package dev.spindle.verify.packaging;

import org.jspecify.annotations.NullMarked;
