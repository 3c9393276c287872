// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.observe;

import dev.spindle.Spindle;
import dev.spindle.SpindleStats;
import dev.spindle.internal.Pool;
import java.lang.management.ManagementFactory;
import java.util.Collection;
import java.util.Hashtable;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import javax.management.InstanceAlreadyExistsException;
import javax.management.InstanceNotFoundException;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.jspecify.annotations.Nullable;

/**
 * The registration of a spindle with the platform's MBean server, from {@link #register} to {@link #close} or the end
 * of the spindle. Thread-safe.
 *
 * <pre>{@code
 * SpindleManagement.register(spindle); // dev.spindle:type=Spindle,name="orders"
 * }</pre>
 */
public final class SpindleManagement implements AutoCloseable {
    private final MBeanServer server = ManagementFactory.getPlatformMBeanServer();
    private final ObjectName name;
    private final CompletableFuture<@Nullable Void> end;

    @SuppressWarnings("JdkObsolete") // the constructor of ObjectName takes a Hashtable
    private SpindleManagement(Spindle spindle) {
        Hashtable<String, String> properties = new Hashtable<>();
        properties.put("type", "Spindle");
        String quoted = Pool.of(spindle).name();
        properties.put("name", ObjectName.quote(quoted));
        end = spindle.terminated();
        try {
            name = new ObjectName("dev.spindle", properties);
            server.registerMBean(new Bean(spindle), name);
        } catch (InstanceAlreadyExistsException e) {
            throw new IllegalStateException("a spindle with the name " + quoted + " is registered already", e);
        } catch (JMException e) {
            throw new IllegalStateException("spindle " + quoted + " could not be registered", e);
        }
    }

    /**
     * Registers an MXBean with the attributes of {@link SpindleMXBean}.
     *
     * @throws IllegalStateException if a spindle with the same name is registered
     */
    public static SpindleManagement register(Spindle spindle) {
        SpindleManagement management = new SpindleManagement(spindle);
        CompletableFuture<?> unused = management.end.thenRun(management::unregister); // at once if it has ended
        return management;
    }

    /** Returns the name of the MXBean. */
    public ObjectName objectName() {
        return name;
    }

    /** Unregisters the MXBean. The spindle is not affected. */
    @Override
    public void close() {
        boolean unused = end.complete(null); // unregisters, and so the spindle no longer refers to this object
    }

    private void unregister() {
        try {
            server.unregisterMBean(name);
        } catch (InstanceNotFoundException e) {
            return; // another caller has unregistered the MXBean
        } catch (JMException e) {
            throw new IllegalStateException(name + " could not be unregistered", e);
        }
    }

    /** The MXBean, which refers to the spindle weakly. */
    private static final class Bean implements SpindleMXBean {
        private final Snapshots snapshots;
        private final Map<String, Snapshots.Reader> readers = new ConcurrentHashMap<>();

        Bean(Spindle spindle) {
            snapshots = new Snapshots(spindle);
        }

        /** Reads an attribute; 0 after the spindle was garbage collected. */
        private long read(String attribute, ToLongFunction<SpindleStats> value) {
            Snapshot snapshot = snapshots.next(readers.computeIfAbsent(attribute, key -> new Snapshots.Reader()));
            return snapshot == null ? 0 : value.applyAsLong(snapshot.spindle());
        }

        private String[] texts(Function<Spindle, Collection<?>> list) {
            Spindle spindle = snapshots.spindle();
            return spindle == null
                    ? new String[0]
                    : list.apply(spindle).stream().map(Object::toString).toArray(String[]::new);
        }

        @Override
        public String getName() {
            return snapshots.name();
        }

        @Override
        public long getAccepted() {
            return read("Accepted", SpindleStats::accepted);
        }

        @Override
        public long getCompleted() {
            return read("Completed", SpindleStats::completed);
        }

        @Override
        public long getFailed() {
            return read("Failed", SpindleStats::failed);
        }

        @Override
        public long getRejected() {
            return read("Rejected", SpindleStats::rejected);
        }

        @Override
        public long getDropped() {
            return read("Dropped", SpindleStats::dropped);
        }

        @Override
        public long getSuperseded() {
            return read("Superseded", SpindleStats::superseded);
        }

        @Override
        public long getPending() {
            return read("Pending", SpindleStats::pending);
        }

        @Override
        public int getRunning() {
            return (int) read("Running", SpindleStats::running);
        }

        @Override
        public int getReady() {
            return (int) read("Ready", SpindleStats::ready);
        }

        @Override
        public int getKeys() {
            return (int) read("Keys", SpindleStats::keys);
        }

        @Override
        public int getThreads() {
            return (int) read("Threads", SpindleStats::threads);
        }

        @Override
        public int getIdleThreads() {
            return (int) read("IdleThreads", SpindleStats::idleThreads);
        }

        @Override
        public int getBlockedThreads() {
            return (int) read("BlockedThreads", SpindleStats::blockedThreads);
        }

        @Override
        public int getPeakThreads() {
            return (int) read("PeakThreads", SpindleStats::peakThreads);
        }

        @Override
        public int getCoreThreads() {
            return (int) read("CoreThreads", SpindleStats::coreThreads);
        }

        @Override
        public int getMaxThreads() {
            return (int) read("MaxThreads", SpindleStats::maxThreads);
        }

        @Override
        public long getWakeUps() {
            return read("WakeUps", SpindleStats::wakeUps);
        }

        @Override
        public long getSteals() {
            return read("Steals", SpindleStats::steals);
        }

        @Override
        public long getGrowthEpisodes() {
            return read("GrowthEpisodes", SpindleStats::growthEpisodes);
        }

        @Override
        public String[] busiest(int n) {
            return texts(spindle -> spindle.busiest(n));
        }

        @Override
        public String[] running() {
            return texts(Spindle::running);
        }

        @Override
        public String[] waits() {
            return texts(Spindle::waits);
        }
    }
}
