// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.demo;

/** What can happen to a flight, in the order in which it happens. */
enum EventKind {
    /** Announced, {@link Timeline#NOTICE} minutes before the scheduled departure. */
    SCHEDULED,
    /** Off, at the actual departure. */
    DEPARTED,
    /** Called off, at the scheduled departure: the data does not say when it was known. */
    CANCELLED,
    /** Down at the destination, by the local clock there. */
    LANDED
}
