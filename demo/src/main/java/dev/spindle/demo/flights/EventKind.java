// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.demo.flights;

/** The kinds of events of a flight, in chronological order. */
public enum EventKind {
    /** Announced, {@link Timeline#NOTICE} minutes before the scheduled departure. */
    SCHEDULED,
    /** Departed, at the actual time. */
    DEPARTED,
    /** Cancelled, at the scheduled departure, since the data does not contain the time of the cancellation. */
    CANCELLED,
    /** Landed, by the local clock of the destination. */
    LANDED
}
