// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle;

import static dev.spindle.TestSupport.await;
import static dev.spindle.TestSupport.until;
import static dev.spindle.TestSupport.usedBytes;
import static dev.spindle.TestSupport.virtualThreads;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Method;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** The figures and the traps that docs/virtual-threads.md names. */
@Timeout(60)
@Tag("once")
@EnabledForJreRange(min = JRE.JAVA_25)
class VirtualThreadsCostsTest {
    private static final int KEYS = 20_000;

    @RegisterExtension
    private final Spindles spindles = new Spindles();

    private Spindle spindle(UnaryOperator<Runnable> decorator) {
        return spindles.of(Spindle.builder()
                .name("orders")
                .coreThreads(2)
                .maxThreads(KEYS + 2)
                .virtualThreads(true)
                .taskDecorator(decorator));
    }

    // ---------------------------------------------------------------- memory

    /**
     * The bounds are half as much again as the largest figures. Measured with 20,000 keys: 3.5 to 4.8 kB a key and 0.9
     * to 1.7 kB a plain virtual thread, 6.6 and 2.6 kB with the instrumentation of this build.
     */
    @Test
    void memory_ofAKeyThatBlocks_isAFewKilobytes() {
        Keyed<Integer> keys = spindle(UnaryOperator.identity()).keyed("keys");
        double key = bytesOfEach(task -> keys.execute(task.hashCode(), task));
        ExecutorService threads = virtualThreads();
        double plain = bytesOfEach(threads::execute);
        threads.shutdown();

        assertThat(plain).isBetween(500.0, 4_000.0);
        assertThat(key).isBetween(1_000.0, 10_000.0).isLessThan(6 * plain);
    }

    /** Returns what a blocked task takes of the heap, by a collection before and one while all of them block. */
    private static double bytesOfEach(Consumer<Runnable> submit) {
        AtomicInteger blocked = new AtomicInteger();
        CountDownLatch end = new CountDownLatch(1);
        long before = usedBytes();
        for (int i = 0; i < KEYS; i++) {
            submit.accept(new Runnable() {
                @Override
                public void run() {
                    blocked.incrementAndGet();
                    await(end);
                }
            });
        }
        until(() -> blocked.get() == KEYS);
        double bytes = (usedBytes() - before) / (double) KEYS;
        end.countDown();
        return bytes;
    }

    // ---------------------------------------------------------------- ScopedValue

    /** {@code java.lang.ScopedValue}, of JDK 25. */
    private static final class Scoped {
        private final Class<?> type = Class.forName("java.lang.ScopedValue");
        private final Object value =
                requireNonNull(type.getMethod("newInstance").invoke(null));
        private final Method orElse = type.getMethod("orElse", Object.class);
        private final Method where = type.getMethod("where", type, Object.class);

        private Scoped() throws ReflectiveOperationException {}

        Object get() {
            try {
                return requireNonNull(orElse.invoke(value, "unbound"));
            } catch (ReflectiveOperationException e) {
                throw new IllegalStateException(e);
            }
        }

        void run(Object bound, Runnable code) {
            try {
                Object carrier = requireNonNull(where.invoke(null, value, bound));
                carrier.getClass().getMethod("run", Runnable.class).invoke(carrier, code);
            } catch (ReflectiveOperationException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    @Test
    void scopedValue_ofTheSubmitter_isNotSeenByTheTask() throws Exception {
        Scoped user = new Scoped();
        Keyed<String> keys = spindle(UnaryOperator.identity()).keyed("keys");
        CompletableFuture<Object> seen = new CompletableFuture<>();

        user.run("alice", () -> keys.execute("a", () -> seen.complete(user.get())));

        assertThat(seen.get(20, TimeUnit.SECONDS)).isEqualTo("unbound");
    }

    @Test
    void scopedValue_thatADecoratorBindsAgain_isSeenByThisTaskAlone() throws Exception {
        Scoped user = new Scoped();
        UnaryOperator<Runnable> decorator = task -> {
            Object bound = user.get(); // in the submitter
            return bound.equals("unbound") ? task : () -> user.run(bound, task);
        };
        Keyed<String> keys = spindle(decorator).keyed("keys");
        CompletableFuture<Object> seen = new CompletableFuture<>();
        CompletableFuture<Object> later = new CompletableFuture<>();

        user.run("alice", () -> keys.execute("a", () -> seen.complete(user.get())));
        keys.execute("a", () -> later.complete(user.get()));

        assertThat(seen.get(20, TimeUnit.SECONDS)).isEqualTo("alice");
        assertThat(later.get(20, TimeUnit.SECONDS)).isEqualTo("unbound");
    }

    // ---------------------------------------------------------------- Flight Recorder

    /** Its initializer blocks, so with native code on the stack. */
    private static final class Slow {
        static final long LOADED = park();

        private static long park() {
            long begin = System.nanoTime();
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
            return begin;
        }
    }

    @Test
    void flightRecorder_keyThatBlocksInNativeCode_isAnEventWithTheWorkerAndTheStack(@TempDir Path folder)
            throws Exception {
        Path file = folder.resolve("pinned.jfr");
        Spindle spindle = spindle(UnaryOperator.identity());
        CountDownLatch entered = new CountDownLatch(2);
        CountDownLatch end = new CountDownLatch(1);
        for (int i = 0; i < 2; i++) { // the core
            spindle.execute(() -> {
                entered.countDown();
                await(end);
            });
        }
        await(entered);
        try (Recording recording = new Recording()) {
            recording.enable("jdk.VirtualThreadPinned").withThreshold(Duration.ofMillis(1));
            recording.start();
            assertThat(spindle.keyed("keys").submit("a", () -> Slow.LOADED).get(20, TimeUnit.SECONDS))
                    .isPositive();
            recording.stop();
            recording.dump(file);
        }
        end.countDown();

        List<RecordedEvent> events = RecordingFile.readAllEvents(file);
        Optional<RecordedEvent> pinned = events.stream()
                .filter(event -> event.getStackTrace() != null
                        && event.getStackTrace().getFrames().stream()
                                .anyMatch(frame ->
                                        frame.getMethod().getType().getName().endsWith("Slow")))
                .findFirst();
        assertThat(pinned).as(events.toString()).isPresent();
        assertThat(pinned.orElseThrow().getThread().getJavaName()).startsWith("orders-virtual-");
    }
}
