// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0

/** Shows the latest price of each instrument by means of a conflating channel. */
@NullMarked
package dev.spindle.examples.market;

import org.jspecify.annotations.NullMarked;
