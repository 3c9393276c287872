// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.demo.flights;

/**
 * An event of a flight.
 *
 * @param minute the time in minutes since 1970
 * @param aircraft the index of the aircraft in the {@link Timeline}
 * @param sequence the index of this event among the events of the aircraft, which an executor must run in this order
 */
public record FlightEvent(int minute, EventKind kind, Flight flight, int aircraft, int sequence) {}
