// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway.backend;

import dev.spindle.gateway.config.Address;
import dev.spindle.gateway.loop.ConnectionLoop;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/**
 * One of the servers of a backend: a pool of connections for each event loop, the number of its calls under way, and
 * its health. Any thread may call any method; a pool is confined to its loop.
 */
public final class Instance {
    /*
     * The set of instances writes `failures`, `isEjected` and `ejectedAt` under its monitor; all may be read without
     * it. `isUp` is written by the loop of the health check alone.
     */
    /** The address. */
    public final Address address;
    /** The calls that this instance was given. */
    public final LongAdder calls = new LongAdder();
    /** The calls that this instance failed, as the set of instances counts them. */
    public final LongAdder failed = new LongAdder();
    /** The number of times that this instance was ejected. */
    public final LongAdder ejections = new LongAdder();

    private final ConnectionPool[] pools;
    private final AtomicInteger underWay = new AtomicInteger();
    /** The time from which one call may go to this ejected instance, as a trial. */
    private final AtomicLong trialAt = new AtomicLong();

    /** False while active checks fail. */
    private volatile boolean isUp = true;
    /** True from the ejection until a later call succeeds. */
    volatile boolean isEjected;
    /** The number of failed calls in a row. */
    volatile int failures;
    /** The time of the ejection. */
    volatile long ejectedAt;

    Instance(Backend backend, BackendContext context, Address address) {
        this.address = address;
        pools = new ConnectionPool[context.loops().size()];
        int connections = backend.config.connections();
        Places places = connections < pools.length ? new Places(connections, pools) : null;
        for (int i = 0; i < pools.length; i++) {
            pools[i] = new ConnectionPool(
                    backend, address, context.loops().get(i), context.transport(), pools.length, places);
        }
    }

    /** Returns the pool of a loop. */
    ConnectionPool pool(ConnectionLoop loop) {
        return pools[loop.index];
    }

    /** Counts a call that this instance is given. */
    void began() {
        calls.increment();
        underWay.incrementAndGet();
    }

    /** Counts the end of a call. */
    void ended() {
        underWay.decrementAndGet();
    }

    /** Returns the number of calls that wait for a connection to this instance or for its answer. */
    public int underWay() {
        return underWay.get();
    }

    /** Returns whether active checks pass, or there are none. */
    public boolean isUp() {
        return isUp;
    }

    /** Sets the result of active checks. */
    void up(boolean is) {
        isUp = is;
    }

    /** Returns whether this instance takes calls: its checks pass and it is not ejected. */
    public boolean takesCalls() {
        return isUp && !isEjected;
    }

    /** Begins the time without calls. */
    void eject(long now, long nanos) {
        ejectedAt = now;
        trialAt.set(now + nanos);
        isEjected = true;
        ejections.increment();
    }

    /**
     * Returns whether a call may go to this ejected instance as a trial. The next trial may begin after the given time.
     */
    boolean takeTrial(long now, long nanos) {
        long at = trialAt.get();
        return isUp && isEjected && now - at >= 0 && trialAt.compareAndSet(at, now + nanos);
    }

    /** Closes idle connections soon, and each busy connection when no call needs it. */
    void retire() {
        for (ConnectionPool pool : pools) {
            boolean unused = pool.loop().run(pool::retire);
        }
    }

    @Override
    public String toString() {
        return address.toString();
    }
}
