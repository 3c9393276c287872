// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.demo.live;

import dev.spindle.Activity;
import dev.spindle.Keyed;
import dev.spindle.Spindle;
import dev.spindle.SpindleStats;
import dev.spindle.demo.flights.Flight;
import dev.spindle.demo.flights.FlightEvent;
import dev.spindle.demo.flights.Timeline;
import dev.spindle.observe.dashboard.Dashboard;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Replays flights over and over on one spindle, and shows them in a browser. An event of a flight computes for some
 * microseconds; one in four also looks something up.
 */
public final class LiveDemo implements AutoCloseable {
    /** The number of simulated minutes in a second: a flight of three hours takes six. Not measured. */
    private static final int MINUTES_PER_SECOND = 30;

    /** One event in this many looks something up: about fifteen a second. Not measured. */
    private static final int LOOK_UP_ONE_IN = 4;

    /** The time after which an idle thread ends, short enough that threads are seen to end. Not measured. */
    private static final Duration KEEP_ALIVE = Duration.ofSeconds(2);

    /** The time between two looks at the events that are due. Not measured. */
    private static final long STEP_NANOS = 20_000_000;

    private final Timeline timeline;
    private final Sky sky;
    private final LookUps lookUps = new LookUps();
    private final Spindle spindle;
    private final Keyed<String> aircraft;
    private final Dashboard dashboard;
    private final LiveServer server;
    private final Thread feeder;
    private volatile int minute;
    private volatile boolean closed;

    private LiveDemo(List<Flight> flights, int port) throws IOException {
        timeline = Timeline.of(flights);
        sky = new Sky(timeline);
        minute = timeline.events().get(0).minute();
        spindle = Spindle.builder()
                .name("flights")
                .keepAlive(KEEP_ALIVE)
                .stuckAfter(Duration.ofSeconds(5))
                .build();
        aircraft = spindle.keyed("aircraft");
        dashboard = Dashboard.open(spindle);
        server = new LiveServer(this, port);
        feeder = new Thread(this::feed, "demo-feeder");
        feeder.setDaemon(true);
        feeder.start();
    }

    /**
     * Starts the replay of flights, at least one of which names its aircraft.
     *
     * @param port the port of the page on the loopback address, or 0 for a free one
     * @throws IOException if the port cannot be bound
     */
    public static LiveDemo start(List<Flight> flights, int port) throws IOException {
        return new LiveDemo(flights, port);
    }

    /** Returns the address of the page with the flights. */
    public URI uri() {
        return server.uri();
    }

    /** Returns the address of the page of the spindle. */
    public URI dashboard() {
        return dashboard.uri();
    }

    private void feed() {
        while (!closed) {
            List<FlightEvent> events = timeline.events();
            int first = events.get(0).minute();
            long begin = spindle.nanoTime();
            for (int i = 0; i < events.size() && !closed; ) {
                int now = first + (int) ((spindle.nanoTime() - begin) * MINUTES_PER_SECOND / 1_000_000_000);
                minute = now;
                for (; i < events.size() && events.get(i).minute() <= now; i++) {
                    hand(events.get(i));
                }
                LockSupport.parkNanos(STEP_NANOS);
            }
        }
    }

    private void hand(FlightEvent event) {
        sky.due(event);
        aircraft.execute(sky.tail(event), () -> handle(event));
    }

    private void handle(FlightEvent event) {
        if (event.flight().line() % LOOK_UP_ONE_IN == 0) {
            lookUps.lookUp();
        }
        sky.handled(event);
    }

    LookUps lookUps() {
        return lookUps;
    }

    /** Returns what the page shows, as JSON. */
    String state() {
        SpindleStats stats = spindle.stats();
        StringBuilder running = new StringBuilder("[");
        for (Activity activity : spindle.running()) {
            Duration since = activity.runningFor();
            Object key = activity.key();
            Thread thread = activity.thread();
            if (since != null) {
                running.append(running.length() == 1 ? "" : ",")
                        .append("[\"")
                        .append(key == null ? "" : Sky.plain(key.toString()))
                        .append("\",")
                        .append(since.toMillis())
                        .append(',')
                        .append(activity.pending())
                        .append(',')
                        .append(thread == null ? 0 : thread.getId())
                        .append(']');
            }
        }
        running.append(']');
        return "{\"minute\":" + minute + ",\"hangs\":" + lookUps.isOn() + ",\"threads\":" + stats.threads()
                + ",\"peak\":" + stats.peakThreads() + ",\"done\":" + stats.completed() + ",\"dashboard\":\""
                + dashboard.uri() + "\",\"running\":" + running + ",\"flights\":" + sky.rows(minute) + "}";
    }

    /** Ends the replay, the pages and the spindle. */
    @Override
    public void close() {
        closed = true;
        lookUps.close();
        LockSupport.unpark(feeder);
        try {
            feeder.join(TimeUnit.SECONDS.toMillis(10));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        server.close();
        dashboard.close();
        spindle.close();
    }
}
