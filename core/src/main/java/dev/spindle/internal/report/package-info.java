// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
/** The values of the reports that executors return: counts, activities and waits. */
@NullMarked
package dev.spindle.internal.report;

import org.jspecify.annotations.NullMarked;
