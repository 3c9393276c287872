// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.messages;

import static dev.spindle.benchmarks.executors.Contenders.CROSSBEAM;
import static dev.spindle.benchmarks.executors.Contenders.GO;
import static dev.spindle.benchmarks.executors.Contenders.KANAL;
import static dev.spindle.benchmarks.executors.Contenders.RAYON_SERIAL;
import static dev.spindle.benchmarks.executors.Contenders.TOKIO_ONE;

import dev.spindle.WaitStrategy;
import dev.spindle.benchmarks.compare.Cell;
import dev.spindle.benchmarks.compare.Comparison;
import dev.spindle.benchmarks.compare.Contender;
import dev.spindle.benchmarks.compare.Effort;
import dev.spindle.benchmarks.compare.Figure;
import dev.spindle.benchmarks.compare.Subject;
import dev.spindle.benchmarks.executors.Contenders;
import dev.spindle.benchmarks.executors.NativeProgram;
import dev.spindle.benchmarks.executors.Pools;
import dev.spindle.benchmarks.executors.SerialExecutors;
import dev.spindle.benchmarks.messages.Passing.Link;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Executors;

/**
 * The cells that compare serial executors and the concurrency models. Each has a pool of two threads, except the models
 * with a thread per member. The goals are in {@code goals/models.txt}.
 */
public final class ModelsComparison {
    private static final String METHOD = "An op is a slice of Pi, a task, a message, a round trip, a hop or a value."
            + " The code that computes a slice is compiled by itself, for all contenders alike: inlined into the loop"
            + " of a pool, it takes up to three times as long in some forks.";

    /** Agrona's queues access an internal class of the JDK. */
    private static final List<String> JVM_ARGUMENTS = List.of(
            "--add-opens=java.base/jdk.internal.misc=ALL-UNNAMED",
            "-XX:CompileCommand=quiet",
            "-XX:CompileCommand=dontinline," + Pi.Series.class.getName() + "::slice");

    private static final Effort PI = Effort.millis(1_300, 1_700, 200);
    private static final Effort FLOW = Effort.millis(1_200, 1_800, 150);
    private static final Effort HAND_OVER = Effort.millis(1_000, 1_500, 200);
    private static final Effort HEAP = Effort.millis(1_000, 2_000, 500).atMost(5);
    private static final Effort IDLE = Effort.once(Duration.ZERO, Duration.ofSeconds(8));
    /** Twenty passes run a million tasks. */
    private static final Effort WAKE_UPS = Effort.millis(500, 8_000, 300).atMost(20);

    private static final int POOL = 2;
    private static final int BALLS = 50; // balls per pair, in cells with many pairs

    private static final Map<Contender, Crowd.Maker> ACTORS = new LinkedHashMap<>();
    private static final Map<Contender, Crowd.Maker> CROWDS = new LinkedHashMap<>();
    /** The crowds, and the serial executors that share threads. */
    private static final Map<Contender, Crowd.Maker> SHARING = new LinkedHashMap<>();
    /** These, and the serial executors with a thread each. */
    private static final Map<Contender, Crowd.Maker> SERIAL = new LinkedHashMap<>();

    /** The crowds, and actors of both libraries with a bound and without. */
    private static final Map<Contender, Crowd.Maker> TOLD = new LinkedHashMap<>();

    private static final Map<Contender, Crowd.Maker> RECEIVERS = new LinkedHashMap<>();
    private static final Map<Contender, SerialExecutors.Maker> WAKING = new LinkedHashMap<>();
    private static final Map<Contender, Pi.Maker> CALCULATORS = new LinkedHashMap<>();

    static {
        ACTORS.put(Contenders.SPINDLE_ACTORS, Crowd::actors);
        ACTORS.put(Contenders.PEKKO, Crowd::pekko);
        CROWDS.putAll(ACTORS);
        CROWDS.put(Contenders.SPINDLE_STRANDS, Crowd.tasks(SerialExecutors::strands));
        CROWDS.put(Contenders.NON_STICKY, Crowd.tasks(SerialExecutors::nonSticky));
        CROWDS.put(Contenders.THREADS, Crowd::threads);
        SHARING.putAll(CROWDS);
        SHARING.put(Contenders.GUAVA, Crowd.tasks(SerialExecutors::guava));
        SHARING.put(Contenders.VERTX, Crowd.tasks(SerialExecutors::vertx));
        SERIAL.putAll(SHARING);
        SERIAL.put(Contenders.JDK, Crowd.tasks(SerialExecutors::jdk));
        SERIAL.put(Contenders.NETTY, Crowd.tasks(SerialExecutors::netty));
        TOLD.putAll(CROWDS);
        TOLD.put(Contenders.SPINDLE_UNBOUNDED, Crowd::unboundedActors);
        TOLD.put(Contenders.PEKKO_BOUNDED, Crowd::boundedPekko);
        RECEIVERS.putAll(SERIAL);
        RECEIVERS.putAll(TOLD);
        RECEIVERS.put(Contenders.JRAFT, Crowd.tasks(SerialExecutors::jraft));
        RECEIVERS.put(Contenders.AGRONA, Crowd.tasks(SerialExecutors::agrona));
        RECEIVERS.put(Contenders.SPINDLE_SPIN, Crowd.tasks(SerialExecutors.ownStrands(WaitStrategy.SPIN)));
        WAKING.put(Contenders.SPINDLE_STRANDS, SerialExecutors::strands);
        WAKING.put(Contenders.SPINDLE_OWN, SerialExecutors.ownStrands(WaitStrategy.PARK));
        WAKING.put(Contenders.JDK, SerialExecutors::jdk);
        WAKING.put(Contenders.NETTY, SerialExecutors::netty);
        WAKING.put(Contenders.JRAFT, SerialExecutors::jraft);
        WAKING.put(Contenders.NON_STICKY, SerialExecutors::nonSticky);
        CALCULATORS.put(Contenders.LIMIT, Pi::limit);
        CALCULATORS.put(Contenders.SPINDLE_TASKS, Pi::spindle);
        CALCULATORS.put(Contenders.SPINDLE_ACTORS, Pi.crowd(Crowd::actors));
        CALCULATORS.put(Contenders.SPINDLE_PIPELINE, Pi::pipeline);
        CALCULATORS.put(Contenders.TPE, Pi.pool(() -> Executors.newFixedThreadPool(Pi.WORKERS)));
        CALCULATORS.put(Contenders.FJP, Pi.pool(() -> Pools.asyncForkJoin(Pi.WORKERS)));
        CALCULATORS.put(Contenders.PEKKO, Pi.crowd(Crowd::pekko));
        CALCULATORS.put(Contenders.YIELDING, Pi::disruptor);
    }

    private ModelsComparison() {}

    public static Comparison comparison() {
        List<Cell> cells = new ArrayList<>();
        Cell pi = pi("pi", "Pi of a million slices of 100 terms, two workers", Pi.Series.SMALL);
        cells.add(NativeProgram.enter(pi, KANAL));
        cells.add(pi("pi-large", "Pi of 100,000 slices of 1,000 terms, two workers", Pi.Series.LARGE));
        Cell pingPong = new Cell("ping-pong", "one ball between two members", HAND_OVER, PingPong.ROUND_TRIP)
                .enterAll(SERIAL, (maker, scale) -> new PingPong(maker, 1, 1, POOL));
        cells.add(NativeProgram.enter(pingPong, GO, TOKIO_ONE));
        cells.add(NativeProgram.enter(tell(1, TOLD), GO, CROSSBEAM));
        cells.add(tell(8, TOLD));
        cells.add(NativeProgram.enter(tell(32, RECEIVERS), GO, CROSSBEAM)
                .enter(Contenders.LIMIT, scale -> Tell.fromThreads(Crowd::inPlace, 1, POOL, scale)));
        cells.add(new Cell("tell-inside", "a million messages from one member to another", FLOW, Tell.MESSAGE)
                .group("tell")
                .enterAll(CROWDS, (maker, scale) -> Tell.inside(maker, POOL, scale)));
        cells.add(new Cell("wakeups", "one task at a time, at random gaps", WAKE_UPS, WakeUps.FIGURES)
                .enterAll(WAKING, (maker, scale) -> new WakeUps(maker.of(1, POOL), scale)));
        cells.add(new Cell("pairs-256", "256 pairs of members, 50 balls between each", FLOW, PingPong.ROUND_TRIP)
                .enterAll(TOLD, (maker, scale) -> new PingPong(maker, 256, BALLS, POOL)));
        for (int tokens : new int[] {1, 64}) {
            String title = tokens + (tokens == 1 ? " token" : " tokens") + " round 1,000 members";
            Cell ring = new Cell("ring-" + tokens, title, HAND_OVER, TokenRing.HOP)
                    .group("ring")
                    .enterAll(SHARING, (maker, scale) -> new TokenRing(maker, tokens, POOL));
            cells.add(tokens == 1 ? ring : NativeProgram.enter(ring, GO, RAYON_SERIAL));
        }
        for (int capacity : new int[] {0, 1, 64, 1_024}) {
            cells.add(NativeProgram.enter(passing(1, capacity), GO));
        }
        for (int capacity : new int[] {1, 64, 1_024}) {
            cells.add(NativeProgram.enter(passing(4, capacity), GO));
        }
        cells.add(passing(1, 16));
        cells.add(passing(1, 100));
        cells.add(select(2));
        cells.add(NativeProgram.enter(select(4), GO));
        cells.add(new Cell("backlog", "a thread that has sent a million messages to one member", HEAP, Tell.HELD)
                .enterAll(ACTORS, (maker, scale) -> Tell.backlog(maker, POOL, scale)));
        List<Figure> idle = List.of(IdleMembers.BYTES, IdleMembers.WAKE_UPS);
        cells.add(new Cell("idle", "100,000 actors that have nothing to do", IDLE, idle)
                .enterAll(ACTORS, (maker, scale) -> IdleMembers.of(maker, POOL, scale)));
        return new Comparison(
                "models", ModelsComparison.class, "The models side by side", METHOD, () -> JVM_ARGUMENTS, cells);
    }

    private static Cell pi(String name, String title, Pi.Series series) {
        return new Cell(name, title, PI, Pi.TIME).enterAll(CALCULATORS, (maker, scale) -> new Pi(maker, series, scale));
    }

    private static Cell tell(int senders, Map<Contender, Crowd.Maker> makers) {
        String title = "a million messages to one member from " + senders + (senders == 1 ? " thread" : " threads");
        return new Cell("tell-" + senders, title, FLOW, Tell.MESSAGE)
                .group("tell")
                .enterAll(makers, (maker, scale) -> Tell.fromThreads(maker, senders, POOL, scale));
    }

    /** Returns a cell that sends values through one channel, from {@code parties} senders to as many receivers. */
    private static Cell passing(int parties, int capacity) {
        String room = capacity == 0 ? "from hand to hand" : String.format(Locale.ROOT, "room for %,d", capacity);
        String parts = parties == 1 ? "a sender to a receiver" : parties + " senders to " + parties + " receivers";
        String name = capacity == 0 ? "rendezvous" : "buffered-" + capacity + (parties == 1 ? "" : "-4to4");
        return new Cell(name, "values from " + parts + ", " + room, HAND_OVER, Passing.VALUE)
                .group("channel")
                .enter(Contenders.CHANNEL_TASKS, scale -> new Passing(parties, Passing.tasks(parties, capacity, POOL)))
                .enter(Contenders.CHANNEL_VIRTUAL, scale -> virtual(parties, Link.channel(capacity)))
                .enter(Contenders.JOX, scale -> virtual(parties, Link.Jox.link(capacity)))
                .enter(Contenders.QUEUE_VIRTUAL, scale -> virtual(parties, Link.queue(capacity)));
    }

    /** Returns a cell that sends values through several rendezvous channels. */
    private static Cell select(int channels) {
        String title = "values from a sender to a receiver that selects among " + channels + " channels without room";
        return new Cell("select-" + channels, title, HAND_OVER, Passing.VALUE)
                .group("channel")
                .enter(Contenders.CHANNEL_TASKS, scale -> new Passing(1, Passing.selectingTasks(channels, POOL)))
                .enter(Contenders.CHANNEL_VIRTUAL, scale -> virtual(1, Link.select(channels)))
                .enter(Contenders.JOX, scale -> virtual(1, Link.Jox.select(channels)));
    }

    private static Subject virtual(int parties, Link link) {
        return new Passing(parties, Passing.threads(link, Pools.virtualThreads()));
    }
}
