// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0

/**
 * The JDK's documentation of {@link java.util.concurrent.ExecutorService} and
 * {@link java.util.concurrent.ScheduledExecutorService} as tests: an abstract class {@code *Contract} for each topic,
 * and a class {@code *ConformanceTest} for each kind of executor, Spindle's and, as a control, the JDK's. A kind that
 * uses a freedom of the interfaces, or deviates from them, has a {@link dev.spindle.verify.conformance.Trait}.
 */
@NullMarked
package dev.spindle.verify.conformance;

import org.jspecify.annotations.NullMarked;
