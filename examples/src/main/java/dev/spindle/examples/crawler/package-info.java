// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0

/** A crawler of a made-up web with channels, a select and a limited rate. */
@NullMarked
package dev.spindle.examples.crawler;

import org.jspecify.annotations.NullMarked;
