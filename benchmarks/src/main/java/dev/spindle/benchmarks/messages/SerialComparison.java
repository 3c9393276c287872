// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.messages;

import dev.spindle.WaitStrategy;
import dev.spindle.benchmarks.compare.Cell;
import dev.spindle.benchmarks.compare.Comparison;
import dev.spindle.benchmarks.compare.Contender;
import dev.spindle.benchmarks.compare.Effort;
import dev.spindle.benchmarks.peers.Contenders;
import dev.spindle.benchmarks.peers.PekkoActors;
import dev.spindle.benchmarks.peers.SerialExecutors;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The cells that measure tasks run one after another. Pools have two threads. The goals, MSG1 to MSG3, are in
 * {@code goals/serial.txt}.
 */
public final class SerialComparison {
    /** Agrona's queues access an internal class of the JDK. All contenders run with the same JVM options. */
    private static final List<String> JVM_ARGUMENTS = List.of("--add-opens=java.base/jdk.internal.misc=ALL-UNNAMED");

    private static final Effort FLOOD = Effort.millis(1_200, 1_800, 100);
    private static final Effort HAND_OVER = Effort.millis(1_000, 1_500, 200);
    /** Twenty passes run a million tasks. */
    private static final Effort WAKE_UPS = Effort.millis(500, 8_000, 300).atMost(20);

    private static final int PRODUCERS = 32;
    private static final int POOL = 2;

    private static final Map<Contender, SerialExecutors.Maker> SHARED = new LinkedHashMap<>();
    private static final Map<Contender, SerialExecutors.Maker> ALL = new LinkedHashMap<>();

    static {
        SHARED.put(Contenders.NON_STICKY, SerialExecutors::nonSticky);
        SHARED.put(Contenders.GUAVA, SerialExecutors::guava);
        SHARED.put(Contenders.VERTX, SerialExecutors::vertx);
        SHARED.put(Contenders.PEKKO, SerialExecutors.pekko(PekkoActors.HIGH_THROUGHPUT));
        ALL.put(Contenders.SPINDLE, SerialExecutors::strands);
        ALL.put(Contenders.SPINDLE_OWN, SerialExecutors.ownStrands(WaitStrategy.PARK));
        ALL.put(Contenders.JDK, SerialExecutors::jdk);
        ALL.put(Contenders.NETTY, SerialExecutors::netty);
        ALL.put(Contenders.JRAFT, SerialExecutors::jraft);
        ALL.putAll(SHARED);
    }

    private SerialComparison() {}

    public static Comparison comparison() {
        return new Comparison(
                "serial",
                SerialComparison.class,
                "Tasks one after the other, compared with the peers",
                "An op is a task, a round trip or a hop; its CPU includes what it takes to make and submit it.",
                () -> JVM_ARGUMENTS,
                List.of(flood(), wakeUps(), pingPong(), ring(1), ring(64)));
    }

    private static Cell flood() {
        Map<Contender, SerialExecutors.Maker> makers = new LinkedHashMap<>(ALL);
        makers.put(Contenders.SPINDLE_SPIN, SerialExecutors.ownStrands(WaitStrategy.SPIN));
        makers.put(Contenders.AGRONA, SerialExecutors::agrona);
        return new Cell("p32", "a million tasks from 32 producers", FLOOD, Tell.MESSAGE)
                .enter(Contenders.LIMIT, scale -> Tell.fromThreads(Crowd::inPlace, 1, POOL, scale))
                .enterAll(makers, (maker, scale) -> Tell.fromThreads(Crowd.tasks(maker), PRODUCERS, POOL, scale));
    }

    private static Cell wakeUps() {
        Map<Contender, SerialExecutors.Maker> makers = new LinkedHashMap<>(ALL);
        makers.keySet().removeAll(List.of(Contenders.GUAVA, Contenders.VERTX, Contenders.PEKKO));
        // Agrona's consumer thread does not sleep, so its latest start shows the delay that the machine causes.
        makers.put(Contenders.AGRONA_ONE, SerialExecutors::agronaOneToOne);
        return new Cell(
                        "wakeups",
                        "one task at a time, at random gaps",
                        WAKE_UPS,
                        WakeUps.LATEST,
                        WakeUps.START.median(),
                        WakeUps.START.tail())
                .enterAll(makers, (maker, scale) -> new WakeUps(maker.of(1, POOL), scale));
    }

    private static Cell pingPong() {
        return new Cell("ping-pong", "one token between two executors", HAND_OVER, PingPong.ROUND_TRIP)
                .enterAll(ALL, (maker, scale) -> new PingPong(Crowd.tasks(maker), 1, 1, POOL));
    }

    private static Cell ring(int tokens) {
        Map<Contender, SerialExecutors.Maker> makers = new LinkedHashMap<>();
        makers.put(Contenders.SPINDLE, SerialExecutors::strands);
        makers.putAll(SHARED);
        String title = tokens + (tokens == 1 ? " token" : " tokens") + " round 1,000 executors";
        return new Cell("ring-" + tokens, title, HAND_OVER, TokenRing.HOP)
                .enterAll(makers, (maker, scale) -> new TokenRing(Crowd.tasks(maker), tokens, POOL));
    }
}
