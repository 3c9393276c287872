// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.demo;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Feeds a timeline to contenders, to each the same events in the same order from one thread.
 *
 * <p>The feeder changes the source of the boards itself, since it sees the events in order, and then gives three tasks:
 * the aircraft takes the event, the board is redrawn (unless it landed: no departure board shows that), it is counted.
 */
final class Replay {

    private final Timeline timeline;
    private final int work;
    private final Speed speed;

    Replay(Timeline timeline, int work, Speed speed) {
        this.timeline = timeline;
        this.work = work;
        this.speed = speed;
    }

    /** Runs one contender to its end, and tells the progress bar; who calls ends the bar. */
    RunResult run(Contender contender, ProgressBar progress) throws InterruptedException {
        World world = new World(timeline, work);
        ThreadLedger ledger = new ThreadLedger("demo");
        AtomicLong asked = new AtomicLong();
        long start = System.nanoTime();
        Thread feeder = ledger.newFeeder(() -> asked.set(feed(contender, world, ledger)));
        progress.start(contender.name(), world.tally()::total, timeline.events().size());
        feeder.start();
        feeder.join();
        long wallNanos = System.nanoTime() - start;
        ledger.join();
        return new RunResult(
                contender.name(),
                timeline.events().size(),
                wallNanos,
                ledger.cpuNanos(),
                // Without an executor the feeder is the one thread that ran tasks.
                Math.max(1, ledger.peakThreads()),
                ledger.switches(),
                world.violations(),
                world.drawings(),
                asked.get(),
                ledger.failures(),
                ledger.firstFailure(),
                world.states(),
                world.boardTexts(),
                world.tally().counts());
    }

    private long feed(Contender contender, World world, ThreadLedger ledger) {
        long asked = 0;
        try (Dispatcher dispatcher = contender.open(world, ledger)) {
            Pacer pacer = new Pacer(speed, timeline.events().get(0).minute());
            for (FlightEvent event : timeline.events()) {
                pacer.await(event.minute());
                if (event.aircraft() != FlightEvent.NO_AIRCRAFT) {
                    dispatcher.move(event);
                }
                if (event.kind() != EventKind.LANDED) {
                    DepartureBoard board = world.boardOf(event);
                    board.announce(event);
                    dispatcher.redraw(board);
                    asked++;
                }
                dispatcher.count(event);
            }
        }
        return asked;
    }
}
