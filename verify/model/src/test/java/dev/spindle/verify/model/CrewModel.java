// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.model;

import java.util.Arrays;
import java.util.EnumSet;
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
    /** What a task does. */
    enum Kind {
        PLAIN,
        /** Submits another task, from inside the pool. */
        NESTS,
        /** Waits for another task to end, inside {@code Blocking.call}. */
        BLOCKS,
        /** Waits for another task to end, without a word. */
        STALLS
    }

    /** @param other the task that it submits or waits for */
    record Task(Kind kind, int other) {
        static final Task PLAIN = new Task(Kind.PLAIN, 0);

        static Task nests(int other) {
            return new Task(Kind.NESTS, other);
        }

        static Task blocks(int other) {
            return new Task(Kind.BLOCKS, other);
        }

        static Task stalls(int other) {
            return new Task(Kind.STALLS, other);
        }
    }

    /**
     * A pool and its users.
     *
     * @param timed which task a timer submits, or -1; the first producer sets the timer, before all else
     * @param stops whether the pool is shut down once all tasks have ended
     * @param producers which tasks each submits
     */
    record Setting(int core, int max, int timed, boolean stops, Task[] tasks, int[]... producers) {}

    /** A fault to be planted. */
    enum Mutant {
        BECOME_IDLE_DOES_NOT_LOOK_AGAIN,
        BECOME_IDLE_LOOKS_TOO_EARLY,
        FOUND_DOES_NOT_SIGNAL,
        WATCH_ENDS_WITHOUT_A_LAST_LOOK,
        WATCH_IS_NOT_ARMED,
        STOP_WATCHING_FORGETS_NEW_TIMERS,
        TAKEN_WATCHER_LEAVES_TIMERS,
        RETREAT_DOES_NOT_LOOK_AGAIN,
        HAND_OVER_AFTER_RETREAT,
        BLOCKING_DOES_NOT_SIGNAL,
        ENDED_DOES_NOT_SIGNAL,
        EXPIRED_STAYS_IDLE,
        WAKES_WITHOUT_UNPARK,
        SIGNAL_BEFORE_PUBLISHING,
        GROWS_PAST_THE_MAXIMUM
    }

    /** Shared variables; IDLE is a stack of up to three workers, ENTRY and DONE are sets of tasks. */
    private enum Shared {
        LOCK,
        SEARCHING,
        AWAKE,
        BLOCKED,
        LIMIT,
        ARMED,
        UNWATCHED,
        WATCHER,
        THREADS,
        EXPIRING,
        FINISHING,
        STOPPING,
        TIMER,
        ENTRY,
        DONE,
        IDLE0,
        IDLE1,
        IDLE2,
        IDLES
    }

    /** What each thread has: where it is, where it returns to, what it holds; then what belongs to workers. */
    private enum Own {
        PC,
        RETURN,
        BOUND,
        SEEN,
        WHO,
        NEW,
        TASK,
        NEXT,
        STATE,
        SEARCHES,
        PERMIT,
        RING,
        EXPIRED,
        /** Only for a mutant: the task that is published after the signal, plus one, and where to go on then. */
        LATE,
        LATE_BACK
    }

    private enum State {
        AWAKE,
        IDLE,
        WATCHING,
        ENDING
    }

    private enum Pc {
        DEAD,
        // a producer
        P_NEXT,
        P_TIMER,
        P_STOP,
        // WorkerPool.ready, when it signals too early
        PUBLISH_LATE,
        // Crew.signal
        SIGNAL,
        SIGNAL_LIMIT,
        SIGNAL_AWAKE,
        SIGNAL_BLOCKED,
        SIGNAL_ARMED,
        SLOW_SIGNAL,
        SLOW_DISARM,
        SLOW_UNWATCH,
        SLOW_AWAKE,
        SLOW_SEARCHING,
        ARM,
        ARM_WATCHER,
        UNPARK,
        START,
        // ReadyQueue.hasReady
        LOOK_ENTRY,
        LOOK_RING,
        // Crew.watchTimers
        WATCH_TIMERS,
        WATCH_TIMERS_LOCKED,
        // Worker
        RUN,
        POLL,
        POLL_RING,
        FOUND,
        FOUND_LOOKED,
        EXECUTE,
        NEST,
        BEGIN_BLOCKING,
        BLOCKING_LOOKED,
        WAIT,
        END_BLOCKING,
        DONE,
        UNWATCHED,
        SURPLUS,
        HAND_OVER,
        HANDED,
        RETREAT,
        RETREAT_AWAKE,
        RETREAT_LOOKED,
        SEARCH,
        SEARCH_LOOKED,
        BECOME_IDLE,
        LEAVE,
        LEAVE_SERVICE,
        LEAVE_AWAKE,
        IDLE_LOOKED,
        PARK,
        EXPIRE,
        // WorkerPool.watch
        WATCH,
        WATCH_LOOK,
        LOOKED,
        DISARMED,
        GROW,
        GROW_LIMIT,
        GROW_AWAKE,
        GROW_SEARCHING,
        STOP_WATCHING,
        STOPPED_WATCHING,
        PARK_WATCHING,
        FIRE,
        // the end
        TRY_TERMINATE,
        FINISH,
        ENDED,
        ENDED_LOOKED,
        DIE
    }

    /** Steps that read and write nothing shared. */
    private static final Set<Pc> LOCAL = EnumSet.of(
            Pc.FOUND_LOOKED,
            Pc.EXECUTE,
            Pc.BLOCKING_LOOKED,
            Pc.RETREAT_LOOKED,
            Pc.IDLE_LOOKED,
            Pc.WATCH_LOOK,
            Pc.DISARMED,
            Pc.STOPPED_WATCHING,
            Pc.ENDED_LOOKED);

    private static final int SHARED = Shared.values().length;
    private static final int OWN = Own.values().length;
    private static final Pc[] PCS = Pc.values();
    private static final int NOT_STARTED = 2; // instead of a permit

    private final Setting setting;
    private final Set<Mutant> mutants;
    private final int producers;
    private final int threads;
    private final int all;
    private final boolean rings; // whether anything can be in a run queue

    CrewModel(Setting setting, Set<Mutant> mutants) {
        this.setting = setting;
        this.mutants = mutants;
        producers = setting.producers.length;
        threads = producers + setting.max + 1; // one that ends gives its place away before it has ended
        all = (1 << setting.tasks.length) - 1;
        rings = Arrays.stream(setting.tasks).anyMatch(task -> task.kind == Kind.NESTS);
    }

    @Override
    public byte[] initial() {
        Step s = new Step(new byte[SHARED + threads * OWN], 0);
        s.set(Shared.LIMIT, setting.core);
        for (int t = 0; t < producers; t++) {
            s.own(t, Own.PC, (t == 0 && setting.timed >= 0 ? Pc.P_TIMER : Pc.P_NEXT).ordinal());
        }
        return s.v;
    }

    @Override
    public void next(byte[] state, Steps steps) {
        for (int t = 0; t < threads; t++) {
            if (LOCAL.contains(new Step(state, t).pc(t))) { // nobody else notices: no other order needs to be tried
                new Step(state, t).take(steps);
                return;
            }
        }
        for (int t = 0; t < threads; t++) {
            new Step(state, t).take(steps);
        }
        if (state[Shared.TIMER.ordinal()] == 1) { // the clock
            Step due = new Step(state.clone(), 0);
            due.set(Shared.TIMER, 2);
            steps.to(due.v, -1);
        }
    }

    @Override
    public boolean isGoodEnd(byte[] state) {
        boolean[] goesOn = {false};
        next(state, (next, thread) -> goesOn[0] = true);
        return !goesOn[0]
                && state[Shared.DONE.ordinal()] == all
                && (!setting.stops || state[Shared.THREADS.ordinal()] == 0);
    }

    @Override
    public @Nullable String fault(byte[] state) {
        Step s = new Step(state, 0);
        if (s.get(Shared.THREADS) > setting.max) {
            return "more threads than the maximum";
        }
        if (s.get(Shared.LOCK) != 0) {
            return null;
        }
        int awake = 0;
        int searching = 0;
        for (int w = producers; w < threads; w++) {
            boolean lives = s.lives(w);
            awake += lives && s.state(w) == State.AWAKE ? 1 : 0;
            searching += lives ? s.own(w, Own.SEARCHES) : 0;
            if (lives && s.state(w) == State.IDLE != s.isIdle(w)) {
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
        Step s = new Step(state, 0);
        String who = thread < 0 ? "clock" : name(thread) + " " + s.pc(thread);
        String shared = Arrays.stream(Shared.values())
                .filter(v -> s.get(v) != 0)
                .map(v -> v.name().toLowerCase(java.util.Locale.ROOT) + "=" + s.get(v))
                .collect(Collectors.joining(" "));
        String workers = IntStream.range(producers, threads)
                .filter(s::lives)
                .mapToObj(w -> name(w) + ":" + s.state(w) + "@" + s.pc(w)
                        + (s.own(w, Own.RING) == 0 ? "" : "+" + s.own(w, Own.RING)))
                .collect(Collectors.joining(" "));
        return String.format(java.util.Locale.ROOT, "%-24s %s | %s", who, shared, workers);
    }

    private String name(int thread) {
        return thread < producers ? "producer" + thread : "worker" + (thread - producers);
    }

    /** One step of one thread: reads and writes a copy of the state, once it has one. */
    private final class Step {
        byte[] v;
        final int t;

        Step(byte[] state, int thread) {
            v = state;
            t = thread;
        }

        // ------------------------------------------------------------ variables

        int get(Shared x) {
            return v[x.ordinal()];
        }

        void set(Shared x, int value) {
            v[x.ordinal()] = (byte) value;
        }

        void add(Shared x, int more) {
            v[x.ordinal()] += (byte) more;
        }

        int own(int thread, Own x) {
            return v[SHARED + thread * OWN + x.ordinal()];
        }

        void own(int thread, Own x, int value) {
            v[SHARED + thread * OWN + x.ordinal()] = (byte) value;
        }

        int my(Own x) {
            return own(t, x);
        }

        void my(Own x, int value) {
            own(t, x, value);
        }

        Pc pc(int thread) {
            return PCS[own(thread, Own.PC)];
        }

        State state(int worker) {
            return State.values()[own(worker, Own.STATE)];
        }

        void state(int worker, State to) {
            own(worker, Own.STATE, to.ordinal());
        }

        boolean lives(int worker) {
            return pc(worker) != Pc.DEAD || own(worker, Own.PERMIT) == NOT_STARTED;
        }

        boolean isIdle(int worker) {
            for (int i = 0; i < get(Shared.IDLES); i++) {
                if (v[Shared.IDLE0.ordinal() + i] == worker) {
                    return true;
                }
            }
            return false;
        }

        void pushIdle(int worker) {
            v[Shared.IDLE0.ordinal() + get(Shared.IDLES)] = (byte) worker;
            add(Shared.IDLES, 1);
        }

        /** Returns the worker that became idle last, or 0: the first threads are producers. */
        int pollIdle() {
            if (get(Shared.IDLES) == 0) {
                return 0;
            }
            add(Shared.IDLES, -1);
            int at = Shared.IDLE0.ordinal() + get(Shared.IDLES);
            int worker = v[at];
            v[at] = 0;
            return worker;
        }

        void removeIdle(int worker) {
            int to = 0;
            for (int i = 0; i < 3; i++) {
                byte one = v[Shared.IDLE0.ordinal() + i];
                v[Shared.IDLE0.ordinal() + i] = 0;
                if (one != 0 && one != worker) {
                    v[Shared.IDLE0.ordinal() + to++] = one;
                }
            }
            set(Shared.IDLES, to);
        }

        // ------------------------------------------------------------ control

        void go(Pc to) {
            my(Own.PC, to.ordinal());
        }

        void call(Pc routine, Pc back) {
            my(Own.RETURN, back.ordinal());
            go(routine);
        }

        void back() {
            my(Own.BOUND, 0);
            my(Own.SEEN, 0);
            my(Own.WHO, 0);
            goBack();
        }

        /** Returns, and forgets from where: what differs only in what nobody reads is one state. */
        private void goBack() {
            go(PCS[my(Own.RETURN)]);
            my(Own.RETURN, 0);
        }

        boolean lock() {
            if (get(Shared.LOCK) != 0) {
                return false;
            }
            set(Shared.LOCK, 1);
            return true;
        }

        void unlock() {
            set(Shared.LOCK, 0);
        }

        boolean has(Mutant mutant) {
            return mutants.contains(mutant);
        }

        /** Hands over what this thread can do next. */
        void take(Steps steps) {
            byte[] before = v;
            Pc pc = pc(t);
            for (int choice = 0; choice < choices(pc); choice++) {
                v = before.clone();
                if (step(pc, choice)) {
                    steps.to(v, t);
                }
            }
        }

        /** In how many ways a step can go. */
        private int choices(Pc pc) {
            return switch (pc) {
                case POLL, POLL_RING -> setting.tasks.length + 1; // which task it takes, if any
                case SEARCH, SEARCH_LOOKED, PARK, LOOKED, WATCH -> 2;
                default -> 1;
            };
        }

        /** Takes a step; false when it cannot be taken now. */
        private boolean step(Pc pc, int choice) {
            if (pc.ordinal() >= Pc.RUN.ordinal()) {
                return pc.ordinal() < Pc.WATCH.ordinal() ? work(pc, choice) : watch(pc, choice);
            }
            return pc.ordinal() < Pc.LOOK_ENTRY.ordinal() ? signal(pc) : look(pc);
        }

        // ------------------------------------------------------------ producers, and Crew.signal

        private boolean signal(Pc pc) {
            switch (pc) {
                case DEAD -> {
                    return false;
                }
                case P_NEXT -> {
                    int[] script = setting.producers[t];
                    int next = my(Own.NEXT);
                    if (next == script.length) {
                        go(t == 0 && setting.stops ? Pc.P_STOP : Pc.DEAD);
                    } else {
                        my(Own.NEXT, next + 1);
                        publish(script[next], Shared.ENTRY.ordinal(), Pc.P_NEXT);
                    }
                }
                case P_TIMER -> {
                    set(Shared.TIMER, 1);
                    call(Pc.WATCH_TIMERS, Pc.P_NEXT);
                }
                case P_STOP -> {
                    set(Shared.STOPPING, 1);
                    call(Pc.TRY_TERMINATE, Pc.DEAD);
                }
                case PUBLISH_LATE -> {
                    Pc back = PCS[my(Own.LATE_BACK)];
                    int queue = back == Pc.DONE ? SHARED + t * OWN + Own.RING.ordinal() : Shared.ENTRY.ordinal();
                    v[queue] |= (byte) (1 << (my(Own.LATE) - 1));
                    my(Own.LATE, 0);
                    my(Own.LATE_BACK, 0);
                    go(back);
                }
                case SIGNAL -> {
                    if (get(Shared.SEARCHING) > 0) {
                        back();
                    } else {
                        go(Pc.SIGNAL_LIMIT);
                    }
                }
                case SIGNAL_LIMIT -> {
                    my(Own.BOUND, get(Shared.LIMIT));
                    go(Pc.SIGNAL_AWAKE);
                }
                case SIGNAL_AWAKE -> {
                    my(Own.SEEN, get(Shared.AWAKE));
                    go(Pc.SIGNAL_BLOCKED);
                }
                case SIGNAL_BLOCKED -> {
                    boolean room = my(Own.SEEN) - get(Shared.BLOCKED) < my(Own.BOUND);
                    boolean most = my(Own.BOUND) >= setting.max;
                    my(Own.SEEN, 0);
                    my(Own.BOUND, 0);
                    if (room) {
                        go(Pc.SLOW_SIGNAL);
                    } else if (most || has(Mutant.WATCH_IS_NOT_ARMED)) {
                        back();
                    } else {
                        go(Pc.SIGNAL_ARMED);
                    }
                }
                case SIGNAL_ARMED -> {
                    if (get(Shared.ARMED) != 0) {
                        back();
                    } else {
                        go(Pc.SLOW_SIGNAL);
                    }
                }
                case SLOW_SIGNAL -> {
                    return slowSignal();
                }
                case SLOW_DISARM -> {
                    set(Shared.ARMED, 0);
                    go(Pc.SLOW_UNWATCH);
                }
                case SLOW_UNWATCH -> {
                    set(Shared.UNWATCHED, get(Shared.TIMER) != 0 && !has(Mutant.TAKEN_WATCHER_LEAVES_TIMERS) ? 1 : 0);
                    go(Pc.SLOW_AWAKE);
                }
                case SLOW_AWAKE -> {
                    add(Shared.AWAKE, 1);
                    go(Pc.SLOW_SEARCHING);
                }
                case SLOW_SEARCHING -> {
                    add(Shared.SEARCHING, 1);
                    wake(State.AWAKE);
                    unlock();
                }
                case ARM -> {
                    set(Shared.ARMED, 1);
                    go(Pc.ARM_WATCHER);
                }
                case ARM_WATCHER -> {
                    int who = get(Shared.WATCHER);
                    who = who != 0 ? who : pollIdle();
                    who = who != 0 ? who : reserve();
                    if (who == 0) {
                        set(Shared.ARMED, get(Shared.THREADS) >= setting.max ? 1 : 0);
                        unlock();
                        back();
                    } else {
                        set(Shared.WATCHER, who);
                        my(Own.WHO, who);
                        wake(State.WATCHING);
                        unlock();
                    }
                }
                case UNPARK -> {
                    unpark(my(Own.WHO));
                    back();
                }
                case START -> {
                    own(my(Own.WHO), Own.PERMIT, 0);
                    own(my(Own.WHO), Own.PC, Pc.RUN.ordinal());
                    back();
                }
                default -> throw new AssertionError(pc);
            }
            return true;
        }

        private void unpark(int worker) {
            if (own(worker, Own.PERMIT) != NOT_STARTED && !has(Mutant.WAKES_WITHOUT_UNPARK)) {
                own(worker, Own.PERMIT, 1);
            }
        }

        /** WorkerPool.ready: {@code queue} is the place of a set of tasks. */
        private void publish(int task, int queue, Pc back) {
            if (has(Mutant.SIGNAL_BEFORE_PUBLISHING)) {
                my(Own.LATE, task + 1);
                my(Own.LATE_BACK, back.ordinal());
                call(Pc.SIGNAL, Pc.PUBLISH_LATE);
                return;
            }
            v[queue] |= (byte) (1 << task);
            call(Pc.SIGNAL, back);
        }

        private boolean slowSignal() {
            if (!lock()) {
                return false;
            }
            if (get(Shared.SEARCHING) > 0) {
                unlock();
                back();
            } else if (get(Shared.AWAKE) - get(Shared.BLOCKED) < get(Shared.LIMIT)) {
                int who = pollIdle();
                who = who != 0 ? who : reserve();
                if (who != 0) {
                    my(Own.WHO, who);
                    go(Pc.SLOW_AWAKE);
                } else if (get(Shared.WATCHER) != 0) {
                    my(Own.WHO, get(Shared.WATCHER));
                    set(Shared.WATCHER, 0);
                    go(Pc.SLOW_DISARM);
                } else {
                    unlock();
                    back();
                }
            } else if (get(Shared.ARMED) == 0
                    && get(Shared.LIMIT) < setting.max
                    && !has(Mutant.WATCH_IS_NOT_ARMED)) {
                go(Pc.ARM);
            } else {
                unlock();
                back();
            }
            return true;
        }

        /** Crew.reserve: a thread that is made, and does not run yet; or 0. */
        private int reserve() {
            int bound = setting.max + (has(Mutant.GROWS_PAST_THE_MAXIMUM) ? 1 : 0);
            if (get(Shared.THREADS) >= bound || get(Shared.FINISHING) != 0) {
                return 0;
            }
            for (int w = producers; w < threads; w++) {
                if (!lives(w)) {
                    add(Shared.THREADS, 1);
                    own(w, Own.PERMIT, NOT_STARTED);
                    my(Own.NEW, 1);
                    return w;
                }
            }
            throw new AssertionError("no thread is left");
        }

        /** Sets the state of WHO, and goes on to unpark or to start it. */
        private void wake(State to) {
            int who = my(Own.WHO);
            boolean isNew = my(Own.NEW) != 0; // another's, not started yet, may be taken too, and is started only by that one
            my(Own.NEW, 0);
            state(who, to);
            own(who, Own.SEARCHES, to == State.AWAKE ? 1 : 0);
            go(isNew ? Pc.START : Pc.UNPARK);
        }

        // ------------------------------------------------------------ ReadyQueue.hasReady, Crew.watchTimers

        private boolean look(Pc pc) {
            switch (pc) {
                case LOOK_ENTRY -> {
                    my(Own.SEEN, get(Shared.ENTRY) != 0 ? 1 : 0);
                    if (my(Own.SEEN) != 0 || !rings) {
                        goBack();
                    } else {
                        my(Own.BOUND, producers);
                        go(Pc.LOOK_RING);
                    }
                }
                case LOOK_RING -> {
                    int at = my(Own.BOUND);
                    my(Own.SEEN, own(at, Own.RING) != 0 ? 1 : 0);
                    my(Own.BOUND, at + 1);
                    if (my(Own.SEEN) != 0 || at + 1 == threads) {
                        my(Own.BOUND, 0);
                        goBack();
                    }
                }
                case WATCH_TIMERS -> { // `again` is never asked for: there is one timer
                    if (get(Shared.WATCHER) != 0) {
                        back();
                    } else {
                        go(Pc.WATCH_TIMERS_LOCKED);
                    }
                }
                case WATCH_TIMERS_LOCKED -> {
                    if (get(Shared.LOCK) != 0) {
                        return false;
                    }
                    int who = get(Shared.WATCHER);
                    if (who == 0) {
                        who = pollIdle();
                        who = who != 0 ? who : reserve();
                        set(Shared.WATCHER, who);
                        set(Shared.UNWATCHED, who == 0 ? 1 : 0);
                        if (who == 0) {
                            back();
                        } else {
                            my(Own.WHO, who);
                            wake(State.WATCHING);
                        }
                    } else {
                        my(Own.WHO, who);
                        go(Pc.UNPARK);
                    }
                }
                default -> throw new AssertionError(pc);
            }
            return true;
        }

        private boolean sees() {
            boolean seen = my(Own.SEEN) != 0;
            my(Own.SEEN, 0);
            return seen;
        }

        // ------------------------------------------------------------ Worker

        private boolean work(Pc pc, int choice) {
            switch (pc) {
                case RUN -> {
                    switch (state(t)) {
                        case AWAKE -> go(Pc.POLL);
                        case IDLE -> go(Pc.PARK);
                        case WATCHING -> go(Pc.WATCH);
                        case ENDING -> go(Pc.ENDED);
                    }
                }
                case POLL -> {
                    return poll(Shared.ENTRY.ordinal(), choice, rings ? Pc.POLL_RING : Pc.SEARCH);
                }
                case POLL_RING -> {
                    int at = my(Own.BOUND) == 0 ? producers : my(Own.BOUND);
                    my(Own.BOUND, at + 1);
                    return poll(
                            SHARED + at * OWN + Own.RING.ordinal(),
                            choice,
                            at + 1 == threads ? Pc.SEARCH : Pc.POLL_RING);
                }
                case FOUND -> {
                    if (get(Shared.LOCK) != 0) {
                        return false;
                    }
                    add(Shared.SEARCHING, -1);
                    my(Own.SEARCHES, 0);
                    if (has(Mutant.FOUND_DOES_NOT_SIGNAL)) {
                        go(Pc.EXECUTE);
                    } else {
                        call(Pc.LOOK_ENTRY, Pc.FOUND_LOOKED);
                    }
                }
                case FOUND_LOOKED -> {
                    if (sees()) {
                        call(Pc.SIGNAL, Pc.EXECUTE);
                    } else {
                        go(Pc.EXECUTE);
                    }
                }
                case EXECUTE -> {
                    switch (task().kind) {
                        case PLAIN -> go(Pc.DONE);
                        case NESTS -> go(Pc.NEST);
                        case BLOCKS -> go(Pc.BEGIN_BLOCKING);
                        case STALLS -> go(Pc.WAIT);
                    }
                }
                case NEST -> publish(task().other, SHARED + t * OWN + Own.RING.ordinal(), Pc.DONE);
                case BEGIN_BLOCKING -> {
                    add(Shared.BLOCKED, 1);
                    if (has(Mutant.BLOCKING_DOES_NOT_SIGNAL)) {
                        go(Pc.WAIT);
                    } else {
                        call(Pc.LOOK_ENTRY, Pc.BLOCKING_LOOKED);
                    }
                }
                case BLOCKING_LOOKED -> {
                    if (sees()) {
                        call(Pc.SIGNAL, Pc.WAIT);
                    } else {
                        go(Pc.WAIT);
                    }
                }
                case WAIT -> {
                    if ((get(Shared.DONE) >> task().other & 1) == 0) {
                        return false;
                    }
                    go(task().kind == Kind.BLOCKS ? Pc.END_BLOCKING : Pc.DONE);
                }
                case END_BLOCKING -> {
                    add(Shared.BLOCKED, -1);
                    go(Pc.DONE);
                }
                case DONE -> {
                    set(Shared.DONE, get(Shared.DONE) | 1 << my(Own.TASK));
                    my(Own.TASK, 0);
                    go(Pc.UNWATCHED);
                }
                case UNWATCHED -> {
                    if (get(Shared.UNWATCHED) == 0) {
                        go(Pc.SURPLUS);
                    } else {
                        fire(Pc.SURPLUS);
                    }
                }
                case SURPLUS -> {
                    boolean surplus = get(Shared.AWAKE) - get(Shared.BLOCKED) > get(Shared.LIMIT);
                    go(!surplus ? Pc.POLL : has(Mutant.HAND_OVER_AFTER_RETREAT) ? Pc.RETREAT : Pc.HAND_OVER);
                }
                case HAND_OVER -> {
                    my(Own.SEEN, my(Own.RING)); // all at once: on their way they are in no queue
                    my(Own.RING, 0);
                    go(Pc.HANDED);
                }
                case HANDED -> {
                    set(Shared.ENTRY, get(Shared.ENTRY) | my(Own.SEEN));
                    my(Own.SEEN, 0);
                    go(has(Mutant.HAND_OVER_AFTER_RETREAT) ? Pc.RUN : Pc.RETREAT);
                }
                case RETREAT -> {
                    if (!lock()) {
                        return false;
                    }
                    if (get(Shared.AWAKE) - get(Shared.BLOCKED) > get(Shared.LIMIT)) {
                        leaveService();
                        go(Pc.RETREAT_AWAKE);
                    } else {
                        unlock();
                        go(Pc.POLL);
                    }
                }
                case RETREAT_AWAKE -> {
                    add(Shared.AWAKE, -1);
                    unlock();
                    if (has(Mutant.RETREAT_DOES_NOT_LOOK_AGAIN)) {
                        go(Pc.RUN);
                    } else {
                        call(Pc.LOOK_ENTRY, Pc.RETREAT_LOOKED);
                    }
                }
                case RETREAT_LOOKED -> {
                    Pc after = has(Mutant.HAND_OVER_AFTER_RETREAT) ? Pc.HAND_OVER : Pc.RUN;
                    if (sees()) {
                        call(Pc.SIGNAL, after);
                    } else {
                        go(after);
                    }
                }
                case SEARCH -> {
                    if (get(Shared.LOCK) != 0) {
                        return false;
                    }
                    my(Own.BOUND, 0);
                    if (choice == 0) {
                        go(Pc.BECOME_IDLE); // SearchHabit says no
                    } else if (my(Own.SEARCHES) != 0) {
                        call(Pc.LOOK_ENTRY, Pc.SEARCH_LOOKED);
                    } else if (get(Shared.SEARCHING) > 0) {
                        return false; // as if it had said no
                    } else {
                        add(Shared.SEARCHING, 1);
                        my(Own.SEARCHES, 1);
                        call(Pc.LOOK_ENTRY, Pc.SEARCH_LOOKED);
                    }
                }
                case SEARCH_LOOKED -> {
                    if (sees()) {
                        go(Pc.POLL);
                        return choice == 0;
                    }
                    if (choice == 0) {
                        go(Pc.BECOME_IDLE);
                    } else {
                        call(Pc.LOOK_ENTRY, Pc.SEARCH_LOOKED);
                    }
                }
                case BECOME_IDLE -> {
                    if (setting.stops) {
                        call(Pc.TRY_TERMINATE, Pc.LEAVE);
                    } else {
                        go(Pc.LEAVE);
                    }
                }
                case LEAVE -> {
                    if (has(Mutant.BECOME_IDLE_LOOKS_TOO_EARLY) && my(Own.NEXT) == 0) {
                        my(Own.NEXT, 1);
                        call(Pc.LOOK_ENTRY, Pc.LEAVE);
                        return true;
                    }
                    if (!lock()) {
                        return false;
                    }
                    if (my(Own.SEARCHES) != 0) {
                        add(Shared.SEARCHING, -1);
                        my(Own.SEARCHES, 0);
                    }
                    go(Pc.LEAVE_SERVICE);
                }
                case LEAVE_SERVICE -> {
                    leaveService();
                    go(Pc.LEAVE_AWAKE);
                }
                case LEAVE_AWAKE -> {
                    add(Shared.AWAKE, -1);
                    unlock();
                    if (has(Mutant.BECOME_IDLE_LOOKS_TOO_EARLY)) {
                        my(Own.NEXT, 0);
                        go(Pc.IDLE_LOOKED);
                    } else if (has(Mutant.BECOME_IDLE_DOES_NOT_LOOK_AGAIN)) {
                        go(Pc.RUN);
                    } else {
                        call(Pc.LOOK_ENTRY, Pc.IDLE_LOOKED);
                    }
                }
                case IDLE_LOOKED -> {
                    if (sees()) {
                        call(Pc.SIGNAL, Pc.RUN);
                    } else {
                        go(Pc.RUN);
                    }
                }
                case PARK -> {
                    if (choice == 1) { // the keep-alive has passed
                        if (get(Shared.THREADS) - get(Shared.EXPIRING) <= setting.core) {
                            return false;
                        }
                        go(Pc.EXPIRE);
                        return true;
                    }
                    if (my(Own.PERMIT) == 0) {
                        return false;
                    }
                    my(Own.PERMIT, 0);
                    go(Pc.RUN);
                }
                case EXPIRE -> {
                    if (get(Shared.LOCK) != 0) {
                        return false;
                    }
                    if (state(t) == State.IDLE && get(Shared.THREADS) - get(Shared.EXPIRING) > setting.core) {
                        if (!has(Mutant.EXPIRED_STAYS_IDLE)) {
                            removeIdle(t);
                        }
                        my(Own.EXPIRED, 1);
                        add(Shared.EXPIRING, 1);
                        state(t, State.ENDING);
                        set(Shared.LIMIT, Math.max(setting.core, get(Shared.LIMIT) - 1));
                    }
                    go(Pc.RUN);
                }
                default -> throw new AssertionError(pc);
            }
            return true;
        }

        private Task task() {
            return setting.tasks[my(Own.TASK)];
        }

        /** Takes task {@code choice} out of a queue, or goes on when that is empty. */
        private boolean poll(int queue, int choice, Pc otherwise) {
            if (choice == setting.tasks.length) {
                go(otherwise);
                return v[queue] == 0;
            }
            if ((v[queue] >> choice & 1) == 0) {
                return false;
            }
            v[queue] &= (byte) ~(1 << choice);
            my(Own.BOUND, 0);
            my(Own.TASK, choice);
            go(my(Own.SEARCHES) != 0 ? Pc.FOUND : Pc.EXECUTE);
            return true;
        }

        private void leaveService() {
            if (get(Shared.FINISHING) != 0) {
                state(t, State.ENDING);
            } else if (get(Shared.WATCHER) == 0 && (get(Shared.ARMED) != 0 || get(Shared.TIMER) != 0)) {
                set(Shared.WATCHER, t);
                set(Shared.UNWATCHED, 0);
                state(t, State.WATCHING);
            } else {
                pushIdle(t);
                state(t, State.IDLE);
            }
        }

        /** WorkerPool.fireTimers, Crew.timersFired: fires the timer if it is due. */
        private void fire(Pc after) {
            if (get(Shared.TIMER) == 2) {
                set(Shared.TIMER, 0);
                set(Shared.UNWATCHED, 0);
                publish(setting.timed, Shared.ENTRY.ordinal(), after);
            } else {
                if (get(Shared.TIMER) == 0) {
                    set(Shared.UNWATCHED, 0);
                }
                go(after);
            }
        }

        // ------------------------------------------------------------ WorkerPool.watch, and the end

        private boolean watch(Pc pc, int choice) {
            switch (pc) {
                case WATCH -> {
                    if (state(t) != State.WATCHING) {
                        go(Pc.RUN);
                        return choice == 0;
                    }
                    if (choice == 1) { // time for a look
                        if (get(Shared.ARMED) == 0) {
                            return false;
                        }
                        go(Pc.WATCH_LOOK);
                    } else {
                        go(Pc.FIRE);
                    }
                }
                case WATCH_LOOK -> call(Pc.LOOK_ENTRY, Pc.LOOKED);
                case LOOKED -> {
                    boolean ready = my(Own.SEEN) != 0;
                    if (choice == 0) {
                        my(Own.SEEN, 0);
                        go(Pc.WATCH); // not yet
                    } else if (!ready) {
                        set(Shared.ARMED, 0);
                        if (has(Mutant.WATCH_ENDS_WITHOUT_A_LAST_LOOK)) {
                            go(Pc.WATCH);
                        } else {
                            call(Pc.LOOK_ENTRY, Pc.DISARMED);
                        }
                    } else if (isStuck()) {
                        my(Own.SEEN, 0);
                        go(Pc.GROW);
                    } else {
                        return false;
                    }
                }
                case DISARMED -> {
                    if (sees()) {
                        call(Pc.SIGNAL, Pc.WATCH);
                    } else {
                        go(Pc.WATCH);
                    }
                }
                case GROW -> {
                    if (!lock()) {
                        return false;
                    }
                    if (get(Shared.LIMIT) >= setting.max) {
                        unlock();
                        go(Pc.WATCH);
                        return true;
                    }
                    int who = pollIdle();
                    who = who != 0 ? who : reserve();
                    if (who == 0 && get(Shared.THREADS) >= setting.max) {
                        who = get(Shared.WATCHER);
                        set(Shared.WATCHER, 0);
                        if (who != 0) {
                            set(Shared.ARMED, 0);
                            set(Shared.UNWATCHED, get(Shared.TIMER) != 0 ? 1 : 0);
                        }
                    }
                    if (who == 0) {
                        unlock();
                        go(Pc.WATCH);
                    } else {
                        my(Own.WHO, who);
                        go(Pc.GROW_LIMIT);
                    }
                }
                case GROW_LIMIT -> {
                    add(Shared.LIMIT, 1);
                    go(Pc.GROW_AWAKE);
                }
                case GROW_AWAKE -> {
                    add(Shared.AWAKE, 1);
                    go(Pc.GROW_SEARCHING);
                }
                case GROW_SEARCHING -> {
                    add(Shared.SEARCHING, 1);
                    my(Own.RETURN, Pc.WATCH.ordinal());
                    wake(State.AWAKE);
                    unlock();
                }
                case FIRE -> {
                    if (get(Shared.TIMER) == 2) {
                        fire(Pc.WATCH);
                    } else if (get(Shared.TIMER) == 0 && get(Shared.ARMED) == 0) {
                        go(Pc.STOP_WATCHING);
                    } else {
                        go(Pc.PARK_WATCHING);
                    }
                }
                case STOP_WATCHING -> {
                    if (get(Shared.LOCK) != 0) {
                        return false;
                    }
                    if (state(t) != State.WATCHING || get(Shared.ARMED) != 0) {
                        go(Pc.WATCH);
                        return true;
                    }
                    set(Shared.WATCHER, 0);
                    if (get(Shared.FINISHING) != 0) {
                        state(t, State.ENDING);
                    } else {
                        state(t, State.IDLE);
                        pushIdle(t);
                    }
                    // read in the same step as the lock is given back: an earlier read sees fewer timers, as the mutant does
                    if (get(Shared.TIMER) != 0 && !has(Mutant.STOP_WATCHING_FORGETS_NEW_TIMERS)) {
                        call(Pc.WATCH_TIMERS, Pc.STOPPED_WATCHING);
                    } else {
                        go(Pc.STOPPED_WATCHING);
                    }
                }
                case STOPPED_WATCHING -> call(Pc.TRY_TERMINATE, Pc.RUN);
                case PARK_WATCHING -> {
                    my(Own.PERMIT, 0); // with or without it: there is something to wait for, so time passes
                    go(Pc.WATCH);
                }
                case TRY_TERMINATE -> {
                    if (get(Shared.STOPPING) != 0 && get(Shared.DONE) == all && get(Shared.FINISHING) == 0) {
                        go(Pc.FINISH);
                    } else {
                        back();
                    }
                }
                case FINISH -> {
                    if (get(Shared.LOCK) != 0) {
                        return false;
                    }
                    set(Shared.FINISHING, 1);
                    set(Shared.ARMED, get(Shared.WATCHER) == 0 ? get(Shared.ARMED) : 0);
                    for (int w = producers; w < threads; w++) {
                        if (isIdle(w) || get(Shared.WATCHER) == w) {
                            state(w, State.ENDING);
                            unpark(w);
                        }
                    }
                    while (pollIdle() != 0) {}
                    set(Shared.WATCHER, 0);
                    back();
                }
                case ENDED -> {
                    if (get(Shared.LOCK) != 0) {
                        return false;
                    }
                    add(Shared.THREADS, -1);
                    add(Shared.EXPIRING, -my(Own.EXPIRED));
                    my(Own.EXPIRED, 0);
                    if (has(Mutant.ENDED_DOES_NOT_SIGNAL)) {
                        die();
                    } else {
                        call(Pc.LOOK_ENTRY, Pc.ENDED_LOOKED);
                    }
                }
                case ENDED_LOOKED -> {
                    if (sees()) {
                        call(Pc.SIGNAL, Pc.DIE);
                    } else {
                        die();
                    }
                }
                case DIE -> die();
                default -> throw new AssertionError(pc);
            }
            return true;
        }

        private void die() {
            my(Own.PERMIT, 0);
            my(Own.RETURN, 0);
            my(Own.STATE, 0);
            go(Pc.DEAD);
        }

        /** Whether no worker that is awake can go on, but for the one that looks. */
        private boolean isStuck() {
            for (int w = producers; w < threads; w++) {
                if (lives(w) && state(w) == State.AWAKE) {
                    boolean waits = pc(w) == Pc.WAIT
                            && (get(Shared.DONE) >> setting.tasks[own(w, Own.TASK)].other & 1) == 0;
                    if (!waits) {
                        return false;
                    }
                }
            }
            return true;
        }
    }
}
