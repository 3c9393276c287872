// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway.backend;

import dev.spindle.gateway.config.Address;
import dev.spindle.gateway.config.BackendConfig;
import dev.spindle.gateway.config.EjectConfig;
import dev.spindle.gateway.loop.FailureLog;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.function.IntUnaryOperator;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The instances of a backend, among which its calls are balanced. Any thread may call any method.
 *
 * <p>A call goes to the one of two randomly chosen instances that has fewer calls under way. Instances whose active
 * checks fail, and instances that are ejected because of failed calls, are left out; if all instances would be left
 * out, none is. After the time of an ejection, one call goes to the instance as a trial, whose success ends the
 * ejection, and which is repeated after the same time otherwise.
 */
public final class Instances {
    /*
     * `all` is replaced as a whole, under the monitor. The monitor also guards the counting of failures and the begin
     * and end of ejections, which are rare; a choice takes no lock.
     *
     * Instances-1  At most half of the instances are ejected at a time, or one of two or three. Thus calls that fail at
     *              every instance do not gather at the last instance that is left.
     * Instances-2  An ejection is ended only by a call that began after it.
     */
    private final BackendConfig config;
    private final LongSupplier clock;
    private final FailureLog log;
    private final Maker maker;
    /** Returns a random number from 0 below its argument. */
    private final IntUnaryOperator random;

    private final @Nullable EjectConfig eject;
    private final long ejectNanos;
    /** The checks of the instances; empty if there are none. */
    private final IdentityHashMap<Instance, HealthCheck> checks = new IdentityHashMap<>();

    private volatile Instance[] all = {};
    private boolean retired;

    /** Creates the set of the given addresses, and starts their active checks. */
    Instances(
            BackendConfig config,
            List<Address> addresses,
            LongSupplier clock,
            FailureLog log,
            IntUnaryOperator random,
            Maker maker) {
        this.config = config;
        this.clock = clock;
        this.log = log;
        this.maker = maker;
        this.random = random;
        eject = config.eject();
        ejectNanos = eject == null ? 0 : eject.time().toNanos();
        replace(addresses);
    }

    /** Creates the parts of the set. */
    interface Maker {
        /** Returns a new instance. */
        Instance instance(Address address);

        /**
         * Returns the check of an instance, which has not begun; null for none.
         *
         * @param number the number of checks that there are already
         */
        @Nullable
        HealthCheck check(Address address, int number, HealthCheck.Listener listener);
    }

    /** Returns the instances. */
    public List<Instance> all() {
        return List.of(all);
    }

    /** Returns an instance, for callers to which it does not matter which. */
    Instance first() {
        return all[0];
    }

    /** Replaces the set. An instance that stays keeps its connections and its state. */
    public synchronized void replace(List<Address> addresses) {
        if (retired) {
            return;
        }
        List<Instance> before = List.of(all);
        List<Instance> after = new ArrayList<>();
        for (Address address : addresses) {
            Instance kept = find(before, address);
            after.add(kept == null ? create(address) : kept);
        }
        all = after.toArray(Instance[]::new);
        before.stream().filter(one -> !after.contains(one)).forEach(gone -> {
            HealthCheck check = checks.remove(gone);
            if (check != null) {
                check.stop();
            }
            gone.retire();
        });
    }

    private static @Nullable Instance find(List<Instance> among, Address address) {
        for (Instance one : among) {
            if (one.address.equals(address)) {
                return one;
            }
        }
        return null;
    }

    private Instance create(Address address) {
        Instance instance = maker.instance(address);
        HealthCheck check = maker.check(address, checks.size(), (up, reason) -> {
            instance.up(up);
            say(instance, up ? "is up" : "is down: " + reason);
        });
        if (check != null) {
            checks.put(instance, check);
            check.start();
        }
        return instance;
    }

    /** Ends active checks, and retires the connections of all instances. */
    synchronized void retire() {
        retired = true;
        checks.values().forEach(HealthCheck::stop);
        for (Instance instance : all) {
            instance.retire();
        }
    }

    // ---------------------------------------------------------------- the choice

    /** Returns an instance whose address is not among {@code tried}, or null if all are. */
    @Nullable
    Instance choose(List<Address> tried) {
        Instance[] of = all;
        if (of.length > 1) {
            Instance one = of[random.applyAsInt(of.length)];
            Instance other = another(of, one);
            if (isCandidate(one, tried) && isCandidate(other, tried)) {
                return lessLoaded(one, other);
            }
        }
        return search(of, tried);
    }

    /** Returns a random instance other than {@code one}, all with the same probability. */
    private Instance another(Instance[] of, Instance one) {
        Instance drawn = of[random.applyAsInt(of.length - 1)];
        return drawn == one ? of[of.length - 1] : drawn;
    }

    private static boolean isCandidate(Instance instance, List<Address> tried) {
        return instance.takesCalls() && !tried.contains(instance.address);
    }

    private static Instance lessLoaded(Instance one, Instance other) {
        return other.underWay() < one.underWay() ? other : one;
    }

    /** Chooses among the instances of which some take no calls or were tried. */
    private @Nullable Instance search(Instance[] of, List<Address> tried) {
        long now = clock.getAsLong();
        List<Instance> usable = new ArrayList<>(of.length);
        List<Instance> others = new ArrayList<>(of.length);
        for (Instance instance : of) {
            if (tried.contains(instance.address)) {
                continue;
            }
            if (instance.takeTrial(now, ejectNanos)) {
                return instance;
            }
            (instance.takesCalls() ? usable : others).add(instance);
        }
        List<Instance> from = usable.isEmpty() ? others : usable;
        if (from.isEmpty()) {
            return null;
        }
        Instance[] rest = from.toArray(Instance[]::new);
        Instance one = rest[random.applyAsInt(rest.length)];
        return rest.length == 1 ? one : lessLoaded(one, another(rest, one));
    }

    // ---------------------------------------------------------------- outcomes

    /** Counts a call that got an answer with a status below 500, and that began at the given time. */
    void succeeded(Instance instance, long since) {
        if (instance.failures == 0) {
            return;
        }
        synchronized (this) {
            if (instance.isEjected) {
                if (since - instance.ejectedAt <= 0) { // Instances-2
                    return;
                }
                instance.isEjected = false;
                say(instance, "answers again");
            }
            instance.failures = 0;
        }
    }

    /** Counts a call that got no answer, or an answer with a status of 500 or above. */
    void failed(Instance instance, String reason) {
        instance.failed.increment();
        EjectConfig limits = eject;
        if (limits == null) {
            return;
        }
        synchronized (this) {
            instance.failures = Math.min(instance.failures, Integer.MAX_VALUE - 1) + 1;
            if (instance.failures < limits.failures() || instance.isEjected || !mayEjectOne()) {
                return;
            }
            instance.eject(clock.getAsLong(), ejectNanos);
            say(
                    instance,
                    "gets no calls for " + limits.time().toMillis() + " ms, since " + limits.failures()
                            + " in a row failed, the last: " + reason);
        }
    }

    /** Returns whether one more instance may be ejected. */
    private boolean mayEjectOne() {
        int ejected = 0;
        for (Instance instance : all) {
            ejected += instance.isEjected ? 1 : 0;
        }
        return ejected + 1 <= Math.max(1, all.length / 2) && all.length > 1; // Instances-1
    }

    /** Logs a change of an instance. */
    private void say(Instance instance, String what) {
        log.say("backend " + config.name() + ": " + instance.address + " " + what);
    }
}
