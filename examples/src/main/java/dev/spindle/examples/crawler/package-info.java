// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0

/** Crawls a simulated web by channels and a select, at a limited rate. */
@NullMarked
package dev.spindle.examples.crawler;

import org.jspecify.annotations.NullMarked;
