// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Metrics, health and management of spindles, and of what is built on them.
 *
 * <ul>
 *   <li>{@link dev.spindle.observe.SpindleMetrics}: meters for Micrometer
 *   <li>{@link dev.spindle.observe.SpindleHealth}: live, ready, stalled
 *   <li>{@link dev.spindle.observe.SpindleManagement}: an MXBean
 * </ul>
 */
@NullMarked
package dev.spindle.observe;

import org.jspecify.annotations.NullMarked;
