// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0

/** The demo in a browser: flights, the threads that handle their events, and a switch that makes look-ups hang. */
@NullMarked
package dev.spindle.demo.live;

import org.jspecify.annotations.NullMarked;
