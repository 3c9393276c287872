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
import java.util.List;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/** Generates all programs that are simpler than a program by one change; the largest changes come first. */
final class Simpler {
    private static final int PLAIN_MICROS = 1_000_000;

    private final Program whole;
    private final List<Program> found = new ArrayList<>();

    private Simpler(Program whole) {
        this.whole = whole;
    }

    static List<Program> than(Program program) {
        Simpler simpler = new Simpler(program);
        simpler.producers();
        simpler.chunks();
        simpler.stops();
        simpler.pool();
        simpler.steps();
        simpler.rounds();
        return simpler.found;
    }

    /** Adds a program, unless the change has made the program invalid or had no effect. */
    private void offer(Supplier<Program> cut) {
        Program program;
        try {
            program = cut.get();
        } catch (IllegalArgumentException e) {
            return;
        }
        if (!program.equals(whole)) {
            found.add(program);
        }
    }

    private static <T> List<T> without(List<T> list, int from, int to) {
        List<T> rest = new ArrayList<>(list.subList(0, from));
        rest.addAll(list.subList(to, list.size()));
        return rest;
    }

    private static <T> List<T> replaced(List<T> list, int at, T by) {
        List<T> changed = new ArrayList<>(list);
        changed.set(at, by);
        return changed;
    }

    // ---------------------------------------------------------------- producers

    private void producers() {
        for (int at = 0; at < whole.producers().size(); at++) {
            int one = at;
            offer(() -> whole.withProducers(without(whole.producers(), one, one + 1)));
        }
    }

    /** Removes halves of the steps, then quarters, and at last single steps. */
    private void chunks() {
        for (int at = 0; at < whole.producers().size(); at++) {
            List<Step> steps = whole.producers().get(at).steps();
            for (int size = (steps.size() + 1) / 2; size >= 1; size = size == 1 ? 0 : (size + 1) / 2) {
                for (int from = 0; from < steps.size(); from += size) {
                    offerSteps(at, without(steps, from, Math.min(steps.size(), from + size)));
                }
            }
        }
    }

    private void offerSteps(int producer, List<Step> steps) {
        Producer changed = new Producer(whole.producers().get(producer).rounds(), steps);
        offer(() -> whole.withProducers(replaced(whole.producers(), producer, changed)));
    }

    private void rounds() {
        for (int at = 0; at < whole.producers().size(); at++) {
            Producer producer = whole.producers().get(at);
            Producer fewer = new Producer((producer.rounds() + 1) / 2, producer.steps());
            int one = at;
            offer(() -> whole.withProducers(replaced(whole.producers(), one, fewer)));
        }
    }

    // ---------------------------------------------------------------- the pool and its end

    private void stops() {
        List<Stop> stops = whole.stops();
        for (int at = 0; at < stops.size() - 1; at++) {
            int one = at;
            offer(() -> whole.withStops(without(stops, one, one + 1)));
            offer(() -> whole.withStops(replaced(stops, one, stops.get(one).with(After.NOTHING))));
        }
        int last = stops.size() - 1;
        Stop end = stops.get(last);
        offer(() -> whole.withStops(replaced(stops, last, new Stop(Where.POOL, 0, How.CLOSE, 100))));
        offer(() -> whole.withStops(replaced(stops, last, new Stop(Where.POOL, 0, end.how(), 100, end.after()))));
        offer(() -> whole.withStops(replaced(stops, last, end.with(After.NOTHING))));
        offer(() ->
                whole.withStops(replaced(stops, last, new Stop(Where.POOL, 0, How.CLOSE, end.percent(), end.after()))));
    }

    private void pool() {
        Pool p = whole.pool();
        offer(() -> whole.with(pool(p, p.core(), p.max(), PLAIN_MICROS, PLAIN_MICROS, 0, 0)));
        offer(() -> whole.with(pool(p, p.core(), p.max(), PLAIN_MICROS, p.linger(), p.capacity(), p.capacityPerKey())));
        offer(() ->
                whole.with(pool(p, p.core(), p.max(), p.keepAlive(), PLAIN_MICROS, p.capacity(), p.capacityPerKey())));
        offer(() -> whole.with(pool(p, p.core(), p.max(), p.keepAlive(), p.linger(), 0, p.capacityPerKey())));
        offer(() -> whole.with(pool(p, p.core(), p.max(), p.keepAlive(), p.linger(), p.capacity(), 0)));
        offer(() ->
                whole.with(pool(p, p.core(), p.core(), p.keepAlive(), p.linger(), p.capacity(), p.capacityPerKey())));
        offer(() -> whole.with(pool(p, 1, p.max(), p.keepAlive(), p.linger(), p.capacity(), p.capacityPerKey())));
        offer(() -> whole.with(sound(p)));
        offer(this::onOneKey);
        offer(() -> whole.with(lanes(p, p.keys(), 0, 0, p.views())));
        offer(() -> whole.with(lanes(p, p.keys(), p.strands(), 0, p.views())));
        offer(() -> whole.with(lanes(p, p.keys(), p.strands(), p.own(), List.of())));
    }

    private static Pool lanes(Pool old, int keys, int strands, int own, List<View> views) {
        return new Pool(
                old.core(),
                old.max(),
                old.keepAlive(),
                old.linger(),
                old.capacity(),
                old.capacityPerKey(),
                old.onFull(),
                keys,
                strands,
                own,
                views,
                old.exact(),
                old.threads());
    }

    private static Pool sound(Pool old) {
        return new Pool(
                old.core(),
                old.max(),
                old.keepAlive(),
                old.linger(),
                old.capacity(),
                old.capacityPerKey(),
                old.onFull(),
                old.keys(),
                old.strands(),
                old.own(),
                old.views(),
                old.exact(),
                Threads.Kind.SOUND);
    }

    private static Pool pool(Pool old, int core, int max, int keepAlive, int linger, int capacity, int capacityPerKey) {
        return new Pool(
                core,
                max,
                keepAlive,
                linger,
                capacity,
                capacityPerKey,
                capacity + capacityPerKey == 0 ? Policy.REJECT : old.onFull(),
                old.keys(),
                old.strands(),
                old.own(),
                old.views(),
                old.exact(),
                old.threads());
    }

    /** Replaces all keys by the first key, and renumbers the lanes of the strands. */
    private Program onOneKey() {
        Pool p = whole.pool();
        int gone = p.keys() - 1;
        UnaryOperator<Step> move =
                step -> step.op().where() != Where.LANE ? step : step.at(step.at() < p.keys() ? 0 : step.at() - gone);
        List<Producer> producers = whole.producers().stream()
                .map(producer -> new Producer(producer.rounds(), each(producer.steps(), move)))
                .toList();
        List<Stop> stops = whole.stops().stream()
                .map(stop -> stop.where() != Where.LANE
                        ? stop
                        : new Stop(stop.where(), stop.at() - gone, stop.how(), stop.percent(), stop.after()))
                .toList();
        Pool small = lanes(p, 1, p.strands(), p.own(), p.views());
        return new Program(whole.seed(), small, producers, stops);
    }

    private static List<Step> each(List<Step> steps, UnaryOperator<Step> change) {
        return steps.stream()
                .map(step -> change.apply(step).inner(each(step.inner(), change)))
                .toList();
    }

    // ---------------------------------------------------------------- steps

    private void steps() {
        for (int at = 0; at < whole.producers().size(); at++) {
            int producer = at;
            changes(whole.producers().get(at).steps()).forEach(steps -> offerSteps(producer, steps));
        }
    }

    /** Returns lists that differ from the given list by one simpler step. */
    private static List<List<Step>> changes(List<Step> steps) {
        List<List<Step>> lists = new ArrayList<>();
        for (int at = 0; at < steps.size(); at++) {
            Step step = steps.get(at);
            if (!step.inner().isEmpty()) {
                List<Step> flat = new ArrayList<>(steps.subList(0, at));
                flat.addAll(step.inner());
                flat.addAll(steps.subList(at + 1, steps.size()));
                lists.add(flat);
            }
            for (Step simpler : simplerSteps(step)) {
                lists.add(replaced(steps, at, simpler));
            }
        }
        return lists;
    }

    private static List<Step> simplerSteps(Step step) {
        List<Step> simpler = new ArrayList<>();
        List<Step> inner = step.inner();
        for (int at = 0; at < inner.size(); at++) {
            simpler.add(step.inner(without(inner, at, at + 1)));
        }
        simpler.add(step.with(Does.NOTHING).nanos(0).with(Then.NOTHING).every(1));
        Op plainest = step.op().plainest();
        simpler.add((plainest.where() == step.op().where() ? step : step.at(0)).with(plainest));
        simpler.add(step.with(Does.NOTHING));
        simpler.add(step.with(Then.NOTHING));
        simpler.add(step.nanos(0));
        simpler.add(step.every(1));
        simpler.add(step.at(0));
        changes(inner).forEach(changed -> simpler.add(step.inner(changed)));
        simpler.removeIf(step::equals);
        return simpler;
    }
}
