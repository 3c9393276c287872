// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.demo;

/**
 * Takes the three tasks that each event makes, and sees to it that they run.
 *
 * <p>The moves of one aircraft run one at a time and in the order given, those of different aircraft in any order.
 * After a request to redraw a board, a drawing that begins later runs; requests may share one. Counting has no order.
 */
interface Dispatcher extends AutoCloseable {

    /** Has the aircraft of the event, which must have one, take it. */
    void move(FlightEvent event);

    /** Has the board drawn, from this moment's source or a later one. */
    void redraw(DepartureBoard board);

    /** Has the event counted. */
    void count(FlightEvent event);

    /** Returns when everything given has run and the threads are told to end. */
    @Override
    void close();
}
