// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.torture;

import dev.spindle.verify.torture.Op.Where;
import dev.spindle.verify.torture.Program.After;
import dev.spindle.verify.torture.Program.How;
import dev.spindle.verify.torture.Program.Policy;
import dev.spindle.verify.torture.Program.Pool;
import dev.spindle.verify.torture.Program.Producer;
import dev.spindle.verify.torture.Program.Stop;
import dev.spindle.verify.torture.Program.View;
import dev.spindle.verify.torture.Step.Does;
import dev.spindle.verify.torture.Step.Then;
import dev.spindle.verify.torture.tools.Threads;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Stream;

/**
 * Generates a program from a seed; the same seed gives the same program. Most tasks do almost nothing, so that a run
 * has many tasks. Steps that block are taken only in some rounds.
 */
final class Generator {
    /** The relative frequencies of the operations. */
    private static final Map<Op, Integer> WEIGHTS = new EnumMap<>(Map.ofEntries(
            Map.entry(Op.PLAIN, 18),
            Map.entry(Op.PLAIN_FUTURE, 4),
            Map.entry(Op.PLAIN_CALL, 2),
            Map.entry(Op.PLAIN_DELAYED, 2),
            Map.entry(Op.LANE, 18),
            Map.entry(Op.LANE_BY_KEY, 10),
            Map.entry(Op.LANE_TAGGED, 5),
            Map.entry(Op.LANE_FUTURE, 5),
            Map.entry(Op.LANE_CALL, 3),
            Map.entry(Op.LANE_ASYNC, 3),
            Map.entry(Op.LANE_DELAYED, 2),
            Map.entry(Op.LANE_AT_RATE, 1),
            Map.entry(Op.LANE_WITH_DELAY, 1),
            Map.entry(Op.COALESCE, 10),
            Map.entry(Op.COALESCE_OTHER, 3),
            Map.entry(Op.VIEW, 8),
            Map.entry(Op.VIEW_FUTURE, 3),
            Map.entry(Op.VIEW_DELAYED, 1),
            Map.entry(Op.PAUSE, 1),
            Map.entry(Op.CANCEL_PENDING, 1),
            Map.entry(Op.QUIESCE, 1),
            Map.entry(Op.GAP, 2)));

    private static final List<Op> DRAWN = WEIGHTS.entrySet().stream()
            .flatMap(entry -> Stream.generate(entry::getKey).limit(entry.getValue()))
            .toList();
    private static final List<Policy> POOL_POLICIES = List.of(Policy.REJECT, Policy.BLOCK, Policy.DROP_OLDEST);
    private static final List<Policy> VIEW_POLICIES =
            List.of(Policy.REJECT, Policy.BLOCK, Policy.DROP_OLDEST, Policy.CALLER_RUNS);
    private static final List<How> POOL_STOPS = List.of(How.CLOSE, How.SHUTDOWN, How.NOW, How.THEN_NOW, How.INSIDE);
    private static final List<How> VIEW_STOPS = List.of(How.SHUTDOWN, How.NOW, How.THEN_NOW);
    private static final List<How> STRAND_STOPS = List.of(How.SHUTDOWN, How.NOW, How.THEN_NOW, How.GRACEFUL);
    private static final int DEPTH = 2;
    private static final int MOST_WAITS = 256;

    private final SplittableRandom random;
    private final Pool pool;

    private Generator(SplittableRandom random) {
        this.random = random;
        pool = pool();
    }

    /** Returns the program of a seed, with at most about {@code mostTasks} tasks. */
    static Program of(long seed, int mostTasks) {
        return new Generator(new SplittableRandom(seed)).program(seed, mostTasks);
    }

    private Program program(long seed, int mostTasks) {
        int count = 1 + random.nextInt(4);
        List<List<Step>> bodies = new ArrayList<>();
        for (int producer = 0; producer < count; producer++) {
            bodies.add(body());
        }
        int round = bodies.stream().flatMap(List::stream).mapToInt(Step::tasks).sum();
        int rounds = Math.max(1, (mostTasks >> random.nextInt(4)) / Math.max(1, round));
        List<Producer> producers = bodies.stream()
                .map(steps -> new Producer(rounds, thinned(steps, rounds)))
                .toList();
        return new Program(seed, pool, producers, stops());
    }

    /** Returns the steps; those that block are taken only in some rounds. */
    private static List<Step> thinned(List<Step> steps, int rounds) {
        int least = Integer.highestOneBit(Math.max(1, rounds / MOST_WAITS));
        return steps.stream()
                .map(step -> step.inner(thinned(step.inner(), rounds)))
                .map(step -> waits(step) ? step.every(Math.max(step.every(), least)) : step)
                .toList();
    }

    private static boolean waits(Step step) {
        return step.op() == Op.GAP
                || step.op().isPeriodic()
                || (step.op() == Op.LANE_ASYNC && step.nanos() > 0) // the lane waits for the stage
                || step.does() == Does.PARK
                || step.does() == Does.BLOCK
                || step.then() == Then.AWAIT
                || step.then() == Then.CALL_BACK;
    }

    private <T> T one(List<T> of) {
        return of.get(random.nextInt(of.size()));
    }

    // ---------------------------------------------------------------- the pool

    private Pool pool() {
        boolean fixed = random.nextInt(4) == 0;
        int core = 1 + random.nextInt(fixed ? 2 : 4);
        int max = fixed ? core : core + random.nextInt(random.nextBoolean() ? 4 : 33 - core);
        boolean blocksLong = random.nextInt(8) == 0;
        List<View> views = new ArrayList<>();
        for (int view = random.nextInt(3); view > 0; view--) {
            views.add(new View(
                    random.nextInt(3) == 0 ? 1 : 1 + random.nextInt(max),
                    random.nextInt(3) == 0 ? 10 + random.nextInt(500) : 0,
                    blocksLong ? Policy.BLOCK_LONG : one(VIEW_POLICIES)));
        }
        int strands = random.nextInt(3);
        return new Pool(
                core,
                max,
                1_000 + random.nextInt(200_000),
                random.nextBoolean() ? 50 + random.nextInt(2_000) : 1_000_000,
                random.nextInt(blocksLong ? 2 : 4) == 0 ? 50 + random.nextInt(2_000) : 0,
                random.nextInt(blocksLong ? 2 : 4) == 0 ? 5 + random.nextInt(200) : 0,
                blocksLong ? Policy.BLOCK_LONG : one(POOL_POLICIES),
                1 << random.nextInt(8),
                strands,
                blocksLong ? 0 : random.nextInt(strands + 1),
                views,
                random.nextInt(3) == 0,
                random.nextInt(8) == 0 ? one(List.of(Threads.Kind.values())) : Threads.Kind.SOUND);
    }

    // ---------------------------------------------------------------- steps

    private List<Step> body() {
        List<Step> steps = new ArrayList<>();
        for (int step = 4 + random.nextInt(40); step > 0; step--) {
            steps.add(step(one(DRAWN), 0, lane()));
        }
        if (random.nextInt(3) > 0) { // bounds the producer's backlog
            steps.add(Step.of(Op.PLAIN_FUTURE, 0).with(Then.AWAIT).every(1 << (2 + random.nextInt(6))));
        }
        return steps;
    }

    private Step step(Op drawn, int depth, int lane) {
        Op op = drawn.where() == Where.VIEW && pool.views().isEmpty()
                ? Op.PLAIN
                : drawn == Op.PAUSE && pool.blocksLong() ? Op.QUIESCE : drawn;
        int at = switch (op.where()) {
            case POOL -> 0;
            case LANE -> lane;
            case VIEW -> random.nextInt(pool.views().size());
        };
        Step step = Step.of(op, at);
        return switch (op) {
            case GAP ->
                step.nanos(random.nextInt(random.nextBoolean() ? 2_000 : 100_000))
                        .every(1 << (2 + random.nextInt(6)));
            case CANCEL_PENDING -> step.every(1 << (3 + random.nextInt(5)));
            case QUIESCE -> step.every(1 << (1 + random.nextInt(5)));
            case PAUSE -> step.every(1 << (2 + random.nextInt(5))).inner(inner(depth, lane));
            case PLAIN_DELAYED, LANE_DELAYED, VIEW_DELAYED ->
                step.nanos(random.nextInt(3) == 0 ? 0 : random.nextInt(3_000_000))
                        .with(rarely(Does.THROW))
                        .with(cancelled(20, op))
                        .every(1 << random.nextInt(5));
            case LANE_AT_RATE, LANE_WITH_DELAY ->
                step.nanos(random.nextInt(500_000)).with(cancelled(4, op)).every(1 << (2 + random.nextInt(5)));
            case LANE_ASYNC ->
                step.nanos(random.nextBoolean() ? 0 : random.nextInt(300_000))
                        .with(rarely(Does.THROW))
                        .every(1 << random.nextInt(6));
            default -> task(step, depth);
        };
    }

    private Does rarely(Does does) {
        return random.nextInt(10) == 0 ? does : Does.NOTHING;
    }

    private Then cancelled(int outOf, Op op) {
        Then then = random.nextInt(outOf) > 0 ? Then.NOTHING : random.nextBoolean() ? Then.CANCEL : Then.INTERRUPT;
        return Step.fits(then, op) ? then : Then.NOTHING;
    }

    private Step task(Step step, int depth) {
        int dice = random.nextInt(100);
        Step made = step.with(cancelled(8, step.op()));
        if (made.then() != Then.NOTHING) {
            made = made.every(1 << random.nextInt(5));
        }
        if (dice < 75) {
            return made;
        }
        if (dice < 83) {
            return made.with(Does.SPIN).nanos(random.nextInt(10_000)).every(1 << random.nextInt(6));
        }
        if (dice < 86) {
            return blocking(made);
        }
        if (dice < 89) {
            return made.with(random.nextBoolean() ? Does.THROW : Does.FAIL).every(1 << random.nextInt(6));
        }
        if (dice < 92 && Step.fits(Then.AWAIT, step.op())) {
            return made.with(Then.AWAIT).every(1 << (6 + random.nextInt(5)));
        }
        if (dice < 94 && made.then() == Then.NOTHING && Step.fits(Then.CALL_BACK, step.op())) {
            return made.with(Then.CALL_BACK).every(1 << (3 + random.nextInt(6)));
        }
        return depth < DEPTH ? made.inner(inner(depth, step.at())).every(1 << random.nextInt(4)) : made;
    }

    private Step blocking(Step step) {
        return step.with(random.nextBoolean() ? Does.PARK : Does.BLOCK)
                .nanos(random.nextInt(300_000))
                .every(1 << (6 + random.nextInt(5)));
    }

    /** Returns the inner steps of a task or a pause, many of them for the same lane. */
    private List<Step> inner(int depth, int lane) {
        List<Step> steps = new ArrayList<>();
        for (int step = 1 + random.nextInt(4); step > 0; step--) {
            int to = random.nextInt(3) == 0 && lane < pool.lanes() ? lane : lane();
            Step made = step(one(DRAWN), depth + 1, to);
            if (made.op() != Op.GAP && (made.op() != Op.PAUSE || depth == 0)) {
                steps.add(made);
            }
        }
        return steps;
    }

    /** Returns a random lane; lane 0 has a probability of more than one half. */
    private int lane() {
        return random.nextBoolean() ? 0 : random.nextInt(pool.lanes());
    }

    // ---------------------------------------------------------------- the end

    private List<Stop> stops() {
        List<Stop> stops = new ArrayList<>();
        for (int lane = pool.keys(); lane < pool.lanes(); lane++) {
            addPart(stops, Where.LANE, lane);
        }
        for (int view = 0; view < pool.views().size(); view++) {
            addPart(stops, Where.VIEW, view);
        }
        stops.sort(Comparator.comparingInt(Stop::percent));
        How how = one(POOL_STOPS);
        int percent = random.nextBoolean() ? 100 : 20 + random.nextInt(75);
        stops.add(new Stop(Where.POOL, 0, how, percent, random.nextInt(4) == 0 ? After.PAUSE : After.NOTHING));
        return stops;
    }

    private void addPart(List<Stop> stops, Where where, int at) {
        if (random.nextInt(4) == 0) {
            boolean strand = where == Where.LANE;
            How how = one(strand ? STRAND_STOPS : VIEW_STOPS);
            After after = strand && random.nextBoolean() ? one(List.of(After.values())) : After.NOTHING;
            stops.add(new Stop(where, at, how, 10 + random.nextInt(85), after));
        }
    }
}
