// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0

/** Crawls a simulated web at a limited rate, with channels and a select. */
@NullMarked
package dev.spindle.examples.crawler;

import org.jspecify.annotations.NullMarked;
