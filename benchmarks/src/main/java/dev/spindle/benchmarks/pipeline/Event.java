// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.pipeline;

/** What goes through the stages. All fields plain, since the hand-over has to publish them. */
final class Event {
    long number;
    long value;
    long left;
    long right;
    long publishedAt;
}
