// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.demo;

import dev.spindle.CoalescingTask;
import dev.spindle.SequentialTask;
import dev.spindle.Spindle;

/**
 * One spindle for everything: moves are sequential by aircraft, boards coalesce by airport, counting is plain. Tasks
 * say so by their type and go through {@code execute}, like any other {@code Runnable}.
 */
final class SpindleContender implements Contender {

    /** Threads the pool may add while tasks block; those of the demo never do. */
    private static final int AUXILIARY = 2;

    private final int threads;

    SpindleContender(int threads) {
        this.threads = threads;
    }

    @Override
    public String name() {
        return "one spindle";
    }

    @Override
    public Dispatcher open(World world, ThreadLedger ledger) {
        Spindle spindle = Spindle.builder()
                .name("spindle")
                .core(threads)
                .max(threads + AUXILIARY)
                .threadFactory(ledger)
                .onFailure((key, task, failure) -> ledger.failed(failure))
                .build();
        return new OnSpindle(spindle, world);
    }

    private record Move(World world, FlightEvent event) implements SequentialTask {

        @Override
        public Object key() {
            return world.aircraftOf(event).key();
        }

        @Override
        public void run() {
            world.move(event);
        }
    }

    private record Redraw(DepartureBoard board) implements CoalescingTask {

        @Override
        public Object key() {
            return board.key();
        }

        @Override
        public void run() {
            board.draw();
        }
    }

    private record OnSpindle(Spindle spindle, World world) implements Dispatcher {

        @Override
        public void move(FlightEvent event) {
            spindle.execute(new Move(world, event));
        }

        @Override
        public void redraw(DepartureBoard board) {
            spindle.execute(new Redraw(board));
        }

        @Override
        public void count(FlightEvent event) {
            spindle.execute(() -> world.tally().count(event));
        }

        @Override
        public void close() {
            spindle.close();
        }
    }
}
