// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.serial;

import dev.spindle.benchmarks.compare.Cell;
import dev.spindle.benchmarks.compare.CompareFork;
import dev.spindle.benchmarks.compare.Comparison;
import dev.spindle.benchmarks.compare.Contender;
import dev.spindle.benchmarks.compare.Effort;
import dev.spindle.benchmarks.compare.Figure;
import dev.spindle.benchmarks.compare.Judge;
import dev.spindle.benchmarks.compare.Subject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;

/** The cells, who takes part in them, and the goals MSG1 to MSG3. */
final class SerialComparison {
    static final Figure TASK = Figure.less("ns_per_task", "ns/task");
    static final Figure LATEST = Figure.worst("latest_start_ms", "latest start, ms");
    static final Figure START_P50 = Figure.less("start_p50_us", "start p50, us");
    static final Figure START_P99 = Figure.less("start_p99_us", "start p99, us");
    static final Figure ROUND_TRIP = Figure.less("ns_per_round_trip", "ns/round trip");
    static final Figure HOP = Figure.less("ns_per_hop", "ns/hop");

    static final Contender LIMIT = Contender.limit("limit", "limit: one thread, no hand-over");
    static final Contender FEEDERS =
            Contender.limit("feeders", "limit: the pool that feeds, which runs the tasks itself");

    private static final String METHOD =
            "An op is a task, a round trip or a hop; its CPU includes what it takes to make and submit it.";

    /** Agrona's queues reach for the JDK's own Unsafe; the others run with the same flags. */
    private static final List<String> JVM_ARGUMENTS = List.of("--add-opens=java.base/jdk.internal.misc=ALL-UNNAMED");

    private static final Effort FLOOD = Effort.millis(1_200, 1_800, 100);
    private static final Effort HAND_OVER = Effort.millis(1_000, 1_500, 200);
    /** Twenty passes are a million tasks. */
    private static final Effort WAKE_UPS =
            new Effort(Duration.ofMillis(500), Duration.ofSeconds(8), Duration.ofMillis(300), 20);

    private static final List<Makers.Maker> SHARED =
            List.of(Makers.NON_STICKY, Makers.GUAVA, Makers.VERTX, Makers.PEKKO);

    private SerialComparison() {}

    public static void main(String[] arguments) {
        CompareFork.run(comparison(), arguments);
    }

    static Comparison comparison() {
        return new Comparison(
                SerialComparison.class,
                "Tasks one after the other, beside the peers",
                METHOD,
                JVM_ARGUMENTS,
                List.of(
                        flood(1, few(Makers.AGRONA_ONE)),
                        flood(8, few()),
                        flood(32, few(Makers.VERTX, Makers.PEKKO)),
                        harness(),
                        wakeUps(),
                        pingPong(),
                        ring(1),
                        ring(64)),
                SerialComparison::judge);
    }

    private static List<Makers.Maker> few(Makers.Maker... more) {
        List<Makers.Maker> makers = new ArrayList<>(List.of(
                Makers.SPINDLE,
                Makers.SPINDLE_OWN,
                Makers.SPINDLE_SPIN,
                Makers.JDK,
                Makers.NETTY,
                Makers.NON_STICKY,
                Makers.JRAFT,
                Makers.AGRONA,
                Makers.GUAVA));
        makers.addAll(List.of(more));
        return makers;
    }

    private static Cell flood(int producers, List<Makers.Maker> makers) {
        Map<Contender, Subject.Setup> entrants = new LinkedHashMap<>();
        entrants.put(LIMIT, scale -> new InPlace(producers, scale));
        enter(entrants, makers, 1, (serial, scale) -> new Flood(serial, producers, scale));
        String title = "a million tasks from " + (producers == 1 ? "1 producer" : producers + " producers");
        return new Cell("p" + producers, title, List.of(TASK), FLOOD, entrants);
    }

    private static Cell harness() {
        Map<Contender, Subject.Setup> entrants = new LinkedHashMap<>();
        entrants.put(FEEDERS, scale -> new Harness(inPlace(), scale));
        List<Makers.Maker> makers =
                List.of(Makers.SPINDLE, Makers.SPINDLE_OWN, Makers.JDK, Makers.NETTY, Makers.NON_STICKY, Makers.JRAFT);
        enter(entrants, makers, 1, Harness::new);
        String title = "a million tasks by way of a pool of 32 threads, as SOFAJRaft measures";
        return new Cell("harness", title, List.of(TASK), FLOOD, entrants);
    }

    private static Cell wakeUps() {
        Map<Contender, Subject.Setup> entrants = new LinkedHashMap<>();
        List<Makers.Maker> makers = List.of(
                Makers.SPINDLE,
                Makers.SPINDLE_OWN,
                Makers.JDK,
                Makers.NETTY,
                Makers.NON_STICKY,
                Makers.JRAFT,
                Makers.AGRONA_ONE); // the control: it has nobody to wake, so its latest start is the machine's
        enter(entrants, makers, 1, WakeUps::new);
        List<Figure> figures = List.of(LATEST, START_P50, START_P99);
        return new Cell("wakeups", "one task at a time, at random gaps", figures, WAKE_UPS, entrants);
    }

    private static Cell pingPong() {
        Map<Contender, Subject.Setup> entrants = new LinkedHashMap<>();
        BiFunction<Serial, Subject.Scale, Subject> subject = (serial, scale) -> new PingPong(serial);
        enter(
                entrants,
                List.of(Makers.SPINDLE, Makers.SPINDLE_OWN, Makers.JDK, Makers.NETTY, Makers.JRAFT),
                2,
                subject);
        enter(entrants, SHARED, 2, subject);
        return new Cell("ping-pong", "one token between two executors", List.of(ROUND_TRIP), HAND_OVER, entrants);
    }

    private static Cell ring(int tokens) {
        Map<Contender, Subject.Setup> entrants = new LinkedHashMap<>();
        BiFunction<Serial, Subject.Scale, Subject> subject = (serial, scale) -> new TokenRing(serial, tokens);
        enter(entrants, List.of(Makers.SPINDLE), TokenRing.EXECUTORS, subject);
        enter(entrants, SHARED, TokenRing.EXECUTORS, subject);
        String title = (tokens == 1 ? "1 token" : tokens + " tokens") + " round 1,000 executors";
        return new Cell("ring-" + tokens, title, List.of(HOP), HAND_OVER, entrants);
    }

    private static void enter(
            Map<Contender, Subject.Setup> entrants,
            List<Makers.Maker> makers,
            int executors,
            BiFunction<Serial, Subject.Scale, Subject> subject) {
        makers.forEach(maker -> entrants.put(maker.contender(), scale -> subject.apply(maker.of(executors), scale)));
    }

    private static Serial inPlace() {
        return new Serial(List.of(Runnable::run), () -> {});
    }

    private static void judge(Judge judge) {
        Contender ours = Makers.SPINDLE.contender();
        judge.atLeast("MSG1", "p32", ours, Makers.JDK.contender(), TASK, 3.0);
        judge.atLeast("MSG1", "p32", ours, Makers.NETTY.contender(), TASK, 2.5);
        judge.atLeast("MSG1", "p32", ours, Makers.NON_STICKY.contender(), TASK, 1.1);
        judge.atLeast("MSG1", "p32", ours, Makers.JRAFT.contender(), TASK, 0.9);
        judge.atLeast("MSG1", "p32", ours, Makers.JRAFT.contender(), Figure.CPU, 0.9);
        judge.atLeast("MSG1", "p32", Makers.SPINDLE_SPIN.contender(), Makers.AGRONA.contender(), TASK, 0.8);
        judge.never("MSG2", "wakeups", ours, LATEST, 50);
        judge.never("MSG2", "wakeups", Makers.SPINDLE_OWN.contender(), LATEST, 50);
        judge.atLeast("MSG3", "ping-pong", ours, Makers.NETTY.contender(), ROUND_TRIP, 50);
        judge.atLeast("MSG3", "ping-pong", ours, Makers.JDK.contender(), ROUND_TRIP, 50);
        judge.atLeast("MSG3", "ping-pong", ours, Makers.GUAVA.contender(), ROUND_TRIP, 2);
        judge.atLeast("MSG3", "ping-pong", ours, Makers.VERTX.contender(), ROUND_TRIP, 2);
        judge.atLeast("MSG3", "ping-pong", ours, Makers.PEKKO.contender(), ROUND_TRIP, 1);
        List<Contender> shared = SHARED.stream().map(Makers.Maker::contender).toList();
        for (String ring : List.of("ring-1", "ring-64")) {
            judge.atLeastBest("MSG3", ring, ours, shared, "the best peer", HOP, 1);
        }
    }
}
