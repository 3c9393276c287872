// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.demo;

/**
 * One thing that happens to one flight.
 *
 * @param minute when, in minutes since 1970
 * @param aircraft the index of the aircraft in the {@link Timeline}
 * @param sequence the place of this event among those of its aircraft, from 0; what an executor must not change
 */
record FlightEvent(int minute, EventKind kind, Flight flight, int aircraft, int sequence) {}
