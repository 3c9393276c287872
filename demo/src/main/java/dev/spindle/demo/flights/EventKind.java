// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.demo.flights;

/** The kinds of events of a flight, in chronological order. */
public enum EventKind {
    /** The flight is announced {@link Timeline#NOTICE} minutes before its scheduled departure. */
    SCHEDULED,
    /** The flight departs at the actual time. */
    DEPARTED,
    /** The flight is cancelled at its scheduled departure. The data does not contain the time of a cancellation. */
    CANCELLED,
    /** The flight lands, in the local time of the destination. */
    LANDED
}
