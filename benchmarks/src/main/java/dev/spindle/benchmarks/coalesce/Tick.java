// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.coalesce;

/**
 * One update. Made for each, as a feed does; all fields plain, since the hand-over has to publish them.
 *
 * @param number counts the updates of the producer, from 1
 */
record Tick(int key, int producer, long number) {}
