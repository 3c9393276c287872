// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.demo;

import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * What a program without a keyed executor does: sixteen single-thread executors, and the hash of the aircraft picks
 * one. Boards go by the hash of the airport and are drawn for each request; counting goes by the hash of the airline.
 */
final class StripedContender implements Contender {

    static final int STRIPES = 16;

    @Override
    public String name() {
        return STRIPES + " single-thread executors";
    }

    @Override
    public Dispatcher open(World world, ThreadLedger ledger) {
        return new OnStripes(
                Stream.generate(() -> Executors.newSingleThreadExecutor(ledger))
                        .limit(STRIPES)
                        .toList(),
                world);
    }

    private record OnStripes(List<ExecutorService> stripes, World world) implements Dispatcher {

        @Override
        public void move(FlightEvent event) {
            stripe(world.aircraftOf(event).key()).execute(() -> world.move(event));
        }

        @Override
        public void redraw(DepartureBoard board) {
            stripe(board.key()).execute(board::draw);
        }

        @Override
        public void count(FlightEvent event) {
            stripe(event.flight().carrier()).execute(() -> world.tally().count(event));
        }

        @Override
        public void close() {
            stripes.forEach(ExecutorService::shutdown);
            try {
                for (ExecutorService stripe : stripes) {
                    if (!stripe.awaitTermination(1, TimeUnit.DAYS)) {
                        throw new IllegalStateException("a stripe is still running after a day");
                    }
                }
            } catch (InterruptedException e) {
                stripes.forEach(ExecutorService::shutdownNow);
                Thread.currentThread().interrupt();
                throw new IllegalStateException("interrupted while the stripes ended", e);
            }
        }

        private ExecutorService stripe(Object key) {
            return stripes.get(Math.floorMod(key.hashCode(), stripes.size()));
        }
    }
}
