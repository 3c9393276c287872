// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.demo;

import dev.spindle.demo.flights.AircraftState;
import dev.spindle.demo.flights.FlightEvent;
import dev.spindle.demo.flights.Timeline;
import java.util.List;
import java.util.function.Supplier;

/**
 * Feeds a timeline to contenders. Each contender receives the same events in the same order and at the same times, from
 * one thread.
 */
final class Replay {

    private final Timeline timeline;
    private final SimulatedWork work;
    private final Speed speed;
    private final long overrunNanos;

    /**
     * Creates a replay of at least one event.
     *
     * @param overrunNanos the time for which a run may continue after the last event is due; later events are not
     *         handled
     */
    Replay(Timeline timeline, SimulatedWork work, Speed speed, long overrunNanos) {
        this.timeline = timeline;
        this.work = work;
        this.speed = speed;
        this.overrunNanos = overrunNanos;
    }

    /**
     * The final states of the aircraft after one thread has handled all events in order, and the nanoseconds of that
     * run without look-ups.
     */
    record Reference(List<AircraftState> states, long computingNanos) {}

    Reference reference() {
        long start = System.nanoTime();
        Fleet fleet = new Fleet(timeline, work.computing(), new Measures(), start + Long.MAX_VALUE);
        timeline.events().forEach(event -> fleet.handle(event, start));
        return new Reference(fleet.states(), System.nanoTime() - start);
    }

    /** Runs one contender to its end, and shows its figures during the run. */
    RunResult run(Contender contender, Progress progress) throws InterruptedException {
        ThreadLedger ledger = new ThreadLedger();
        Measures measures = new Measures();
        long start = System.nanoTime();
        Fleet fleet = new Fleet(timeline, work, measures, start + speed.nanos(timeline.minutes()) + overrunNanos);
        Supplier<Figures> figures = () -> new Figures(
                timeline.events().size(),
                measures.handled(),
                measures.givenUp(),
                System.nanoTime() - start,
                ledger.peakThreads(),
                ledger.switches(),
                measures.longestWaitNanos(),
                measures.late(),
                measures.outOfOrder());
        progress.start(contender.name(), figures);
        long wallNanos;
        try {
            feed(contender, fleet, ledger);
        } catch (RuntimeException e) {
            ledger.failed(e);
        } finally {
            wallNanos = System.nanoTime() - start;
            progress.stop();
        }
        ledger.join();
        return new RunResult(
                contender.name(),
                contender.promisesOrder(),
                figures.get().after(wallNanos),
                ledger.virtualPeak(),
                ledger.failures(),
                ledger.firstFailure(),
                fleet.states());
    }

    private void feed(Contender contender, Fleet fleet, ThreadLedger ledger) {
        try (Dispatcher dispatcher = contender.open(ledger)) {
            Pacer pacer = new Pacer(speed, timeline.events().get(0).minute());
            for (FlightEvent event : timeline.events()) {
                pacer.await(event.minute());
                long handedOver = System.nanoTime();
                dispatcher.dispatch(fleet.aircraftOf(event), () -> {
                    try {
                        fleet.handle(event, handedOver);
                    } catch (RuntimeException | Error e) {
                        ledger.failed(e);
                    }
                });
            }
        }
    }
}
