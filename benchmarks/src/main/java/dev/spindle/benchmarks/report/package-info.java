// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
/**
 * How comparisons are shown: {@code Column} writes the tables of Markdown, {@code Verdict} sets a goal beside what was
 * measured, {@code Bars} is a picture of one figure, and {@code Page} is a page for browsers made of all three.
 */
@NullMarked
package dev.spindle.benchmarks.report;

import org.jspecify.annotations.NullMarked;
