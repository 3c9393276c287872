// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.demo;

/**
 * No executor at all: the thread that feeds the events runs every task on the spot. Its order is right by construction,
 * so the others are measured against its states; its time is that of the work on one core with no hand-over.
 */
final class OneThread implements Contender {

    @Override
    public String name() {
        return "one thread, no queue";
    }

    @Override
    public Dispatcher open(World world, ThreadLedger ledger) {
        return new OnTheSpot(world);
    }

    private record OnTheSpot(World world) implements Dispatcher {

        @Override
        public void move(FlightEvent event) {
            world.move(event);
        }

        @Override
        public void redraw(DepartureBoard board) {
            board.draw();
        }

        @Override
        public void count(FlightEvent event) {
            world.tally().count(event);
        }

        @Override
        public void close() {
            // Everything given has run already.
        }
    }
}
