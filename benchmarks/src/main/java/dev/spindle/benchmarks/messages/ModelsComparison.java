// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.messages;

import dev.spindle.benchmarks.compare.Cell;
import dev.spindle.benchmarks.compare.Comparison;
import dev.spindle.benchmarks.compare.Contender;
import dev.spindle.benchmarks.compare.Effort;
import dev.spindle.benchmarks.peers.Contenders;
import dev.spindle.benchmarks.peers.Pools;
import dev.spindle.benchmarks.peers.SerialExecutors;
import dev.spindle.benchmarks.peers.Starter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.function.Supplier;

/**
 * The cells that compare the concurrency models. Each model has a pool of two threads, except the models with a thread
 * per member. The goals are in {@code goals/models.txt}.
 */
public final class ModelsComparison {
    private static final String METHOD = "An op is a slice of Pi, a message, a round trip, a hop or a value."
            + " The code that computes a slice is compiled by itself, for all contenders alike: inlined into the loop"
            + " of a pool, it takes up to three times as long in some forks.";

    private static final List<String> JVM_ARGUMENTS = List.of(
            "-XX:CompileCommand=quiet", "-XX:CompileCommand=dontinline," + Pi.Series.class.getName() + "::slice");

    private static final Effort PI = Effort.millis(1_300, 1_700, 200);
    private static final Effort FLOW = Effort.millis(1_200, 1_800, 150);
    private static final Effort HAND_OVER = Effort.millis(1_000, 1_500, 200);
    private static final Effort HEAP = Effort.millis(1_000, 2_000, 500).atMost(5);
    private static final Effort IDLE = Effort.once(Duration.ZERO, Duration.ofSeconds(8));
    private static final int POOL = 2;
    private static final int BALLS = 50; // balls per pair, in cells with many pairs

    private static final Map<Contender, Crowd.Maker> ACTORS = new LinkedHashMap<>();
    private static final Map<Contender, Crowd.Maker> CROWDS = new LinkedHashMap<>();
    private static final Map<Contender, Crowd.Maker> RECEIVERS = new LinkedHashMap<>();

    static {
        ACTORS.put(Contenders.SPINDLE_ACTORS, Crowd::actors);
        ACTORS.put(Contenders.PEKKO, Crowd::pekko);
        CROWDS.put(Contenders.SPINDLE_ACTORS, Crowd::actors);
        CROWDS.put(Contenders.SPINDLE_STRANDS, Crowd.tasks(SerialExecutors::strands));
        CROWDS.put(Contenders.PEKKO, Crowd::pekko);
        CROWDS.put(Contenders.NON_STICKY, Crowd.tasks(SerialExecutors::nonSticky));
        CROWDS.put(Contenders.THREADS, Crowd.threads(Starter::platform));
        CROWDS.put(Contenders.VIRTUAL_THREADS, Crowd.threads(Starter::virtual));
        RECEIVERS.putAll(CROWDS);
        RECEIVERS.put(Contenders.SPINDLE_PIPELINE, Crowd::pipelines);
        RECEIVERS.put(Contenders.YIELDING, Crowd::disruptors);
    }

    private ModelsComparison() {}

    public static Comparison comparison() {
        List<Cell> cells = new ArrayList<>();
        cells.add(pi("pi", "Pi of a million slices of 100 terms, two workers", Pi.Series.SMALL));
        cells.add(pi("pi-large", "Pi of 100,000 slices of 1,000 terms, two workers", Pi.Series.LARGE));
        cells.add(new Cell("ping-pong", "one ball between two members", HAND_OVER, PingPong.ROUND_TRIP)
                .enterAll(CROWDS, (maker, scale) -> new PingPong(maker, 1, 1, POOL)));
        for (int senders : new int[] {1, 8, 32}) {
            String title = "a million messages to one member from " + senders + (senders == 1 ? " thread" : " threads");
            cells.add(new Cell("tell-" + senders, title, FLOW, Tell.MESSAGE)
                    .group("tell")
                    .enterAll(RECEIVERS, (maker, scale) -> Tell.fromThreads(maker, senders, POOL, scale)));
        }
        cells.add(new Cell("tell-inside", "a million messages from one member to another", FLOW, Tell.MESSAGE)
                .group("tell")
                .enterAll(CROWDS, (maker, scale) -> Tell.inside(maker, POOL, scale)));
        cells.add(new Cell("pairs-256", "256 pairs of members, 50 balls between each", FLOW, PingPong.ROUND_TRIP)
                .enterAll(CROWDS, (maker, scale) -> new PingPong(maker, 256, BALLS, POOL)));
        for (int tokens : new int[] {1, 64}) {
            String title = tokens + (tokens == 1 ? " token" : " tokens") + " round 1,000 members";
            cells.add(new Cell("ring-" + tokens, title, HAND_OVER, TokenRing.HOP)
                    .group("ring")
                    .enterAll(CROWDS, (maker, scale) -> new TokenRing(maker, tokens, POOL)));
        }
        for (int capacity : new int[] {0, 1, 16, 64, 100, 1_024}) {
            cells.add(passing(1, capacity));
        }
        cells.add(select(2));
        cells.add(select(8));
        cells.add(new Cell("backlog", "a thread that has sent a million messages to one member", HEAP, Tell.HELD)
                .enterAll(ACTORS, (maker, scale) -> Tell.backlog(maker, POOL, scale)));
        cells.add(new Cell(
                        "idle", "100,000 actors that have nothing to do", IDLE, IdleMembers.BYTES, IdleMembers.WAKE_UPS)
                .enterAll(ACTORS, (maker, scale) -> new IdleMembers(maker, POOL, scale)));
        return new Comparison(
                "models", ModelsComparison.class, "The models side by side", METHOD, () -> JVM_ARGUMENTS, cells);
    }

    private static Cell pi(String name, String title, Pi.Series series) {
        Map<Contender, Pi.Maker> makers = new LinkedHashMap<>();
        makers.put(Contenders.ONE_THREAD, Pi.chunks(1));
        makers.put(Contenders.LIMIT, Pi.chunks(Pi.WORKERS));
        makers.put(Contenders.SPINDLE_TASKS, Pi::spindle);
        makers.put(Contenders.SPINDLE_ACTORS, Pi.crowd(Crowd::actors));
        makers.put(Contenders.SPINDLE_PIPELINE, Pi::pipeline);
        makers.put(Contenders.TPE, Pi.pool(() -> Executors.newFixedThreadPool(Pi.WORKERS)));
        makers.put(Contenders.FJP, Pi.pool(() -> Pools.asyncForkJoin(Pi.WORKERS)));
        makers.put(Contenders.PEKKO, Pi.crowd(Crowd::pekko));
        makers.put(Contenders.YIELDING, Pi::disruptor);
        makers.put(Contenders.VIRTUAL, Pi.pool(Pools::virtualThreads));
        return new Cell(name, title, PI, Pi.TIME)
                .group("pi")
                .enterAll(makers, (maker, scale) -> new Pi(maker, series, scale));
    }

    /** Returns a cell that sends values through one channel, from {@code parties} senders to as many receivers. */
    public static Cell passing(int parties, int capacity) {
        String room = capacity == 0 ? "from hand to hand" : String.format(Locale.ROOT, "room for %,d", capacity);
        String title = parties == 1
                ? "values from a sender to a receiver, " + room
                : "values from 4 senders to 4 receivers, " + room;
        String name = capacity == 0 ? "rendezvous" : "buffered-" + capacity;
        Cell cell = new Cell(name, title, HAND_OVER, Passing.VALUE).group("channel");
        enter(cell, parties, Contenders.CHANNEL_TASKS, () -> Passing.tasks(parties, capacity, POOL));
        enter(cell, parties, Contenders.CHANNEL_VIRTUAL, () -> virtual(Link.channel(capacity)));
        enter(cell, parties, Contenders.JOX, () -> virtual(Link.Jox.link(capacity)));
        enter(cell, parties, Contenders.QUEUE_VIRTUAL, () -> virtual(Link.queue(capacity)));
        enter(cell, parties, Contenders.CHANNEL_THREADS, () -> platform(Link.channel(capacity)));
        enter(cell, parties, Contenders.QUEUE_THREADS, () -> platform(Link.queue(capacity)));
        return cell;
    }

    /** Returns a cell that sends values through several rendezvous channels. */
    public static Cell select(int channels) {
        String title = "values from a sender to a receiver that selects among " + channels + " channels without room";
        Cell cell = new Cell("select-" + channels, title, HAND_OVER, Passing.VALUE).group("channel");
        enter(cell, 1, Contenders.CHANNEL_TASKS, () -> Passing.selectingTasks(channels, POOL));
        enter(cell, 1, Contenders.CHANNEL_VIRTUAL, () -> virtual(Link.select(channels)));
        enter(cell, 1, Contenders.JOX, () -> virtual(Link.Jox.select(channels)));
        enter(cell, 1, Contenders.CHANNEL_THREADS, () -> platform(Link.select(channels)));
        return cell;
    }

    private static void enter(Cell cell, int parties, Contender contender, Supplier<Passing.Line> line) {
        cell.enter(contender, scale -> new Passing(parties, line.get()));
    }

    private static Passing.Line virtual(Link link) {
        return Passing.threads(link, Starter.virtual());
    }

    private static Passing.Line platform(Link link) {
        return Passing.threads(link, Starter.platform());
    }
}
