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
 * The model of workers that search, park, wake, block, retreat, expire, watch the clock and end: {@code WorkerStates},
 * {@code WorkerSet}, {@code Watchdog}, {@code Worker.work}, {@code ClockThread}, {@code ReadyQueue} and {@code Timers},
 * with one shared access per step. Names are those of the code, and the states of workers are the code's own. All
 * accesses of the code are volatile or followed by a full fence, so every execution is an order of steps. An access
 * under the lock that only its holders read is one step with the next access that others see.
 *
 * <p>In some settings threads are late: new ones, as of a slow factory, or those beyond the core whenever they are
 * woken, as virtual threads without a carrier. In the other settings a new thread takes no time.
 *
 * <p>Left out: the start and the end of the clock thread (jcstress AddAgainstUnwatch), and the looks of workers if it
 * cannot be started; submits that are accepted after a shutdown; threads that cannot be started or die of a failure;
 * the start of the first thread (ThreadStarter.awaitTurn); auxiliaries that stay auxiliaries; a core that grows;
 * entries that are in no queue for want of memory; the limits of run queues; and permits for threads that are not
 * parked. An entry may be taken from any queue that has one. Time: a look of the watch may come at any moment, and adds
 * a worker if no awake worker can continue, or in some settings at any time; a keep-alive may pass at any moment, at
 * most as often as the setting allows.
 *
 * <p>The model assumes no fairness. Instead, from every state the good end must be within reach without lucky steps: a
 * keep-alive that passes, a watch that adds workers too early, or a worker that searches without need.
 */
@SuppressWarnings("EnumOrdinal") // a state is an array, and its enums are places and values in it
final class WorkerSetModel implements Model {
    private final Setting setting;
    private final Set<Mutant> mutants;
    private final Set<Pc> local;
    private final Names names;

    WorkerSetModel(Setting setting, Set<Mutant> mutants) {
        this.setting = setting;
        this.mutants = mutants;
        local = WorkerSetSteps.localSteps(setting);
        names = new Names(setting);
    }

    Setting setting() {
        return setting;
    }

    boolean has(Mutant mutant) {
        return mutants.contains(mutant);
    }

    boolean isLocal(Pc pc) {
        return local.contains(pc);
    }

    @Override
    public byte[] initial() {
        byte[] state = new byte[WorkerSetModelState.size(setting)];
        WorkerSetModelState s = new WorkerSetModelState(this, state, 0);
        s.set(Shared.LIMIT, setting.core());
        for (int t = 0; t < setting.producers().size(); t++) {
            s.own(t, Own.PC, Pc.P_NEXT.ordinal());
        }
        s.own(s.clock, Own.PC, Pc.PARK_WATCHING.ordinal());
        for (int t = 0; t < setting.producers().size(); t++) {
            new WorkerSetSteps(this, state, t).goOn();
        }
        return state;
    }

    @Override
    public void next(byte[] state, Steps steps) {
        for (int t = 0; t <= setting.threads(); t++) {
            new WorkerSetSteps(this, state, t).take(steps);
        }
        WorkerSetModelState clock = new WorkerSetModelState(this, state, 0);
        int now = clock.get(Shared.NOW);
        int before = setting.timed() & ((1 << now) - 1);
        // A later timer is due when the earlier ones are done: otherwise it could wake a thread that sleeps for both.
        if (setting.timed() >> now != 0 && clock.isDone(before)) {
            clock.v = state.clone();
            clock.add(Shared.NOW, 1);
            steps.to(clock.v, -1, true);
        }
    }

    @Override
    public byte[] canonical(byte[] state) {
        return names.canonical(state);
    }

    @Override
    public boolean isGoodEnd(byte[] state) {
        WorkerSetModelState s = new WorkerSetModelState(this, state, 0);
        if (!s.isDone(setting.all()) || (setting.stops() && !s.is(Shared.TERMINATED))) {
            return false;
        }
        if (setting.search() == Setting.Search.SPINS && !setting.stops()) {
            return true;
        }
        boolean[] goesOn = {false};
        next(state, (next, thread, sure) -> goesOn[0] |= sure);
        return !goesOn[0];
    }

    @Override
    public @Nullable String fault(byte[] state) {
        return new WorkerSetInvariants(new WorkerSetModelState(this, state, 0)).fault();
    }

    @Override
    public String text(byte[] state, int thread) {
        WorkerSetModelState s = new WorkerSetModelState(this, state, 0);
        String place = thread < 0 ? "time" : name(thread) + " " + s.pc(thread);
        String shared = Arrays.stream(Shared.values())
                .filter(v -> s.get(v) != 0)
                .map(v -> v.name().toLowerCase(Locale.ROOT) + "=" + s.get(v))
                .collect(Collectors.joining(" "));
        String workers = IntStream.range(s.producers, s.threads)
                .filter(s::lives)
                .mapToObj(w -> name(w) + ":" + s.state(w) + "@" + s.pc(w)
                        + (s.own(w, Own.RING) == 0 ? "" : "+" + s.own(w, Own.RING)))
                .collect(Collectors.joining(" "));
        return String.format(Locale.ROOT, "%-24s %s | %s", place, shared, workers);
    }

    private String name(int thread) {
        if (thread == setting.threads()) {
            return "clock thread";
        }
        return thread < setting.producers().size()
                ? "producer" + thread
                : "worker" + (thread - setting.producers().size());
    }
}
