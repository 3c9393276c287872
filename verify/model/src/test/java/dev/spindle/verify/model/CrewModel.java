// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.model;

import java.util.Arrays;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * How workers search, park, wake, block, retreat and end: {@code Crew}, {@code Worker.work}, {@code WorkerPool.watch} and
 * {@code ReadyQueue}, with one shared access per step. Names are those of the code. All accesses are volatile there, so an
 * order of steps is all that there is.
 *
 * <p>Left out: failures to start a thread, the limits of run queues, and how {@code StuckCheck} counts. Time is this: a timer
 * may be due at any moment, a watcher that waits for one or for its next look may wake at any moment, an idle worker's
 * keep-alive may have passed at any moment, and a look adds workers only if no worker that is awake could go on.
 */
final class CrewModel implements Model {
    private final Setting setting;
    private final Set<Mutant> mutants;

    CrewModel(Setting setting, Set<Mutant> mutants) {
        this.setting = setting;
        this.mutants = mutants;
    }

    Setting setting() {
        return setting;
    }

    boolean has(Mutant mutant) {
        return mutants.contains(mutant);
    }

    private WatcherSteps at(byte[] state, int thread) {
        return new WatcherSteps(this, state, thread);
    }

    @Override
    public byte[] initial() {
        CrewState s = at(new byte[CrewState.size(setting)], 0);
        s.set(Shared.LIMIT, setting.core());
        for (int t = 0; t < setting.producers().length; t++) {
            s.own(t, Own.PC, (t == 0 && setting.timed() >= 0 ? Pc.P_TIMER : Pc.P_NEXT).ordinal());
        }
        return s.v;
    }

    @Override
    public void next(byte[] state, Steps steps) {
        for (int t = 0; t < setting.threads(); t++) {
            if (at(state, t).isLocal()) { // nobody else notices: no other order needs to be tried
                at(state, t).take(steps);
                return;
            }
        }
        for (int t = 0; t < setting.threads(); t++) {
            at(state, t).take(steps);
        }
        CrewState due = at(state.clone(), 0);
        if (due.get(Shared.TIMER) == 1) { // the clock
            due.set(Shared.TIMER, 2);
            steps.to(due.v, -1);
        }
    }

    @Override
    public boolean isGoodEnd(byte[] state) {
        boolean[] goesOn = {false};
        next(state, (next, thread) -> goesOn[0] = true);
        CrewState s = at(state, 0);
        return !goesOn[0]
                && s.get(Shared.DONE) == setting.all()
                && (!setting.stops() || s.get(Shared.THREADS) == 0);
    }

    @Override
    public @Nullable String fault(byte[] state) {
        CrewState s = at(state, 0);
        if (s.get(Shared.THREADS) > setting.max()) {
            return "more threads than the maximum";
        }
        if (s.get(Shared.LOCK) != 0) {
            return null;
        }
        int awake = 0;
        int searching = 0;
        for (int w = s.producers; w < s.threads; w++) {
            boolean lives = s.lives(w);
            awake += lives && s.state(w) == WorkerState.AWAKE ? 1 : 0;
            searching += lives ? s.own(w, Own.SEARCHES) : 0;
            if (lives && s.state(w) == WorkerState.IDLE != s.isIdle(w)) {
                return "an idle worker that nobody can find, or one that is not idle";
            }
        }
        if (awake != s.get(Shared.AWAKE) || searching != s.get(Shared.SEARCHING)) {
            return "a count of workers is wrong: " + awake + " are awake, " + searching + " search";
        }
        return null;
    }

    @Override
    public String text(byte[] state, int thread) {
        CrewState s = at(state, 0);
        String who = thread < 0 ? "clock" : name(thread) + " " + s.pc(thread);
        String shared = Arrays.stream(Shared.values())
                .filter(v -> s.get(v) != 0)
                .map(v -> v.name().toLowerCase(Locale.ROOT) + "=" + s.get(v))
                .collect(Collectors.joining(" "));
        String workers = IntStream.range(s.producers, s.threads)
                .filter(s::lives)
                .mapToObj(w -> name(w) + ":" + s.state(w) + "@" + s.pc(w)
                        + (s.own(w, Own.RING) == 0 ? "" : "+" + s.own(w, Own.RING)))
                .collect(Collectors.joining(" "));
        return String.format(Locale.ROOT, "%-24s %s | %s", who, shared, workers);
    }

    private String name(int thread) {
        return thread < setting.producers().length ? "producer" + thread : "worker" + (thread - setting.producers().length);
    }
}
