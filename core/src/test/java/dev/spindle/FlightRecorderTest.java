// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle;

import static dev.spindle.TestSupport.result;
import static dev.spindle.TestSupport.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.spindle.TestSupport.Gate;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import jdk.jfr.FlightRecorder;
import jdk.jfr.Recording;
import jdk.jfr.SettingDescriptor;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** M1: the events of Java Flight Recorder. */
@Timeout(60)
@SuppressWarnings("FutureReturnValueIgnored") // the effects of the tasks are checked
class FlightRecorderTest {
    private static final AtomicInteger NUMBER = new AtomicInteger();

    @RegisterExtension
    final Spindles spindles = new Spindles();

    @TempDir
    Path directory;

    private final String name = "recorded-" + NUMBER.incrementAndGet();
    private final Recording recording = new Recording();

    @BeforeEach
    void start() {
        record(Duration.ZERO);
        recording.start();
    }

    private void record(Duration threshold) {
        recording.enable("dev.spindle.QueueWait").withThreshold(threshold);
        recording.enable("dev.spindle.TaskRun").withThreshold(threshold);
    }

    @AfterEach
    void close() {
        recording.close();
    }

    private SpindleBuilder options() {
        return spindles.builder().name(name).coreThreads(1).maxThreads(1);
    }

    /** Returns the recorded events of this test's spindle, in the order of their start times. */
    private List<RecordedEvent> events(String type) throws Exception {
        Path file = directory.resolve(NUMBER.incrementAndGet() + ".jfr");
        recording.dump(file);
        List<RecordedEvent> events = new ArrayList<>(RecordingFile.readAllEvents(file));
        events.removeIf(event -> !event.getEventType().getName().equals("dev.spindle." + type)
                || !name.equals(event.getString("spindle")));
        events.sort((a, b) -> a.getStartTime().compareTo(b.getStartTime()));
        return events;
    }

    private static String taskOf(RecordedEvent event) {
        return event.getClass("task").getName();
    }

    // ---------------------------------------------------------------- waits

    private static final class Plain implements Runnable {
        @Override
        public void run() {}
    }

    private static final class Asked implements Callable<String> {
        @Override
        public String call() {
            return "answer";
        }
    }

    @Test
    void m1_queueWait_ofEachKindOfEntry_namesIt() throws Exception {
        Spindle spindle = spindles.of(options());
        Gate gate = new Gate();
        spindle.execute(gate);
        gate.awaitEntered();
        LogicalExecutor reads = spindle.executor("reads", 1);
        spindle.execute(new Plain());
        spindle.keyed("keys").execute("key", new Plain());
        reads.execute(new Plain());
        long since = System.nanoTime();
        until(() -> System.nanoTime() - since > 2_000_000);
        gate.open();
        spindle.close();

        List<RecordedEvent> waits = events("QueueWait");
        waits.remove(0); // the gate's
        assertThat(waits)
                .hasSize(3)
                .allSatisfy(event -> assertThat(event.getDuration()).isGreaterThan(Duration.ofMillis(1)));
        assertThat(taskOf(waits.get(0))).isEqualTo(Plain.class.getName());
        assertThat(waits).extracting(event -> event.getString("key")).containsExactly(null, "key", null);
        assertThat(waits).extracting(event -> event.getString("executor")).containsExactly(null, null, "reads");
    }

    @Test
    void m1_waitingTasks_areTheUsersOwnObjects_whenTheyAreTakenAway() {
        Spindle spindle = spindles.of(options().capacity(2, OnFull.dropOldest()));
        Gate gate = new Gate();
        spindle.execute(gate);
        gate.awaitEntered();
        Runnable dropped = new Plain();
        Runnable plain = new Plain();
        Runnable keyed = new Plain();
        spindle.execute(dropped);
        spindle.execute(plain);
        spindle.execute(new Plain());
        until(() -> spindle.stats().dropped() == 1);
        spindle.execute(plain);
        assertThat(spindle.stats().dropped()).isEqualTo(2);
        assertThat(spindles.takeFailures()).hasSize(2).allMatch(RejectedExecutionException.class::isInstance);
        spindle.keyed("keys").at("key").pause();
        spindle.keyed("keys").coalesce("key", keyed);

        List<Runnable> taken = spindle.shutdownNow();

        assertThat(taken).hasSize(3).contains(plain, keyed).allMatch(Plain.class::isInstance);
    }

    // ---------------------------------------------------------------- runs

    @Test
    void m1_taskRun_namesKeyExecutorAndTheUsersClass() throws Exception {
        Spindle spindle =
                spindles.of(options().taskDecorator(UnaryOperator.identity()).capacity(10, OnFull.reject()));
        spindle.keyed("keys").setKeyCapacity(10, OnFull.reject());
        LogicalExecutor reads = spindle.executor("reads", 1);
        Strand strand = spindle.strand("journal");
        result(spindle.submit(new Asked()));
        result(spindle.keyed("keys").submit(7, new Asked()));
        result(reads.submit(new Asked()));
        result(strand.submit(new Plain()));
        result(spindle.keyed("keys").coalesce("latest", new Plain()));
        result(spindle.keyed("accounts").submit(7, new Asked()));
        spindle.close();

        List<RecordedEvent> runs = events("TaskRun");

        assertThat(runs)
                .extracting(event -> event.getString("key"))
                .containsExactly(null, "7", null, "strand journal", "latest", "7");
        assertThat(runs)
                .extracting(event -> event.getString("space"))
                .containsExactly(null, "keys", null, null, "keys", "accounts");
        assertThat(runs)
                .extracting(event -> event.getString("executor"))
                .containsExactly(null, null, "reads", null, null, null);
        assertThat(runs)
                .extracting(FlightRecorderTest::taskOf)
                .containsExactly(
                        Asked.class.getName(),
                        Asked.class.getName(),
                        Asked.class.getName(),
                        Plain.class.getName(),
                        Plain.class.getName(),
                        Asked.class.getName());
    }

    @Test
    void m1_taskRun_ofACallerOfALogicalExecutor_isRecorded() throws Exception {
        Spindle spindle = spindles.of(options());
        Gate gate = new Gate();
        spindle.execute(gate);
        gate.awaitEntered();
        LogicalExecutor reads = spindle.executorBuilder("reads")
                .maxConcurrency(1)
                .capacity(1, OnFull.callerRuns())
                .build();
        reads.execute(new Plain()); // can run at once
        reads.execute(new Plain());
        reads.execute(new Plain()); // runs on this thread
        assertThat(events("TaskRun")).singleElement().satisfies(event -> {
            assertThat(event.getString("executor")).isEqualTo("reads");
            assertThat(event.getThread().getJavaName())
                    .isEqualTo(Thread.currentThread().getName());
        });
        gate.open();
    }

    /** A key that counts the calls of its {@code toString}, or fails in it. */
    private record Key(AtomicInteger asked, boolean broken) {
        @Override
        public String toString() {
            asked.incrementAndGet();
            if (broken) {
                throw new StackOverflowError("expected");
            }
            return "described";
        }
    }

    @Test
    void m1_keyWhoseToStringThrows_doesNoHarm() throws Exception {
        Spindle spindle = spindles.of(options());
        Key key = new Key(new AtomicInteger(), true);
        Keyed<Key> keys = spindle.keyed("keys");

        assertThat(result(keys.submit(key, () -> "first"))).isEqualTo("first");
        assertThat(result(keys.submit(key, () -> "second"))).isEqualTo("second");
        spindle.close();

        assertThat(events("TaskRun"))
                .extracting(event -> event.getString("key"))
                .hasSize(2)
                .containsOnly(Key.class.getName() + ", whose toString threw java.lang.StackOverflowError");
        assertThat(spindle.stats().failed()).isZero();
    }

    @Test
    void m1_shortRunsAndWaits_areNotRecordedAndTheirKeysNotAsked() throws Exception {
        record(Duration.ofHours(1));
        Spindle spindle = spindles.of(options());
        Key key = new Key(new AtomicInteger(), false);

        result(spindle.keyed("keys").submit(key, () -> {}));
        result(spindle.submit(() -> {}));
        spindle.close();

        assertThat(events("TaskRun")).isEmpty();
        assertThat(events("QueueWait")).isEmpty();
        assertThat(key.asked()).hasValue(0);
    }

    @Test
    void m1_thresholds_are10MillisecondsUnlessSet() {
        result(spindles.of(options()).submit(() -> {}));

        assertThat(FlightRecorder.getFlightRecorder().getEventTypes())
                .filteredOn(type ->
                        List.of("dev.spindle.QueueWait", "dev.spindle.TaskRun").contains(type.getName()))
                .hasSize(2)
                .allSatisfy(type -> assertThat(type.getSettingDescriptors())
                        .filteredOn(setting -> setting.getName().equals("threshold"))
                        .extracting(SettingDescriptor::getDefaultValue)
                        .containsExactly("10 ms"))
                .allSatisfy(type -> assertThat(type.getCategoryNames()).containsExactly("Spindle"));
    }

    @Test
    void m1_failureOfATask_isRecordedAsARunAndReportedAsEver() throws Exception {
        Spindle spindle = spindles.of(options());

        spindle.execute(() -> {
            throw new IllegalStateException("expected");
        });
        spindle.close();

        assertThat(events("TaskRun")).hasSize(1);
        assertThat(spindles.takeFailures()).singleElement().isInstanceOf(IllegalStateException.class);
    }

    // ---------------------------------------------------------------- workers

    @Test
    void m1_stuckWork_recordsTheGrowthAndTheEndOfTheSurplusWorker() throws Exception {
        Spindle spindle = spindles.of(options().maxThreads(2).keepAlive(Duration.ofMillis(1)));
        Gate first = new Gate();
        Gate second = new Gate();
        spindle.execute(first);
        first.awaitEntered();
        spindle.execute(second);
        second.awaitEntered();
        first.open();
        second.open();
        until(() -> spindle.stats().threads() == 1);
        spindle.close();

        assertThat(events("Growth")).singleElement().satisfies(event -> {
            assertThat(event.getString("reason")).isEqualTo("waiting");
            assertThat(event.getInt("limitBefore")).isEqualTo(1);
            assertThat(event.getInt("limitAfter")).isEqualTo(2);
            assertThat(event.getInt("threads")).isEqualTo(1); // the second one starts later
        });
        assertThat(events("WorkerStart")).hasSize(2);
        assertThat(events("WorkerEnd"))
                .extracting(event -> event.getString("reason"))
                .containsExactly("keep-alive passed", "shutdown");
        assertThat(events("WorkerEnd").stream().mapToLong(event -> event.getLong("completed")))
                .containsExactlyInAnyOrder(1L, 1L);
    }

    @Test
    void m1_blockedWorker_recordsTheGrowth() throws Exception {
        Spindle spindle = spindles.of(options().maxThreads(2));
        Gate gate = new Gate();
        spindle.execute(() -> Spindle.callBlocking(() -> {
            gate.run();
            return null;
        }));
        gate.awaitEntered();
        result(spindle.submit(() -> {}));
        gate.open();
        spindle.close();

        assertThat(events("Growth")).singleElement().satisfies(event -> {
            assertThat(event.getString("reason")).isEqualTo("blocked");
            assertThat(event.getInt("limitBefore")).isEqualTo(1);
            assertThat(event.getInt("limitAfter")).isEqualTo(1);
            assertThat(event.getInt("threads")).isEqualTo(2);
        });
    }

    @Test
    void m1_workerAboveALowerMaximum_endsForThatReason() throws Exception {
        Spindle spindle = spindles.of(options().maxThreads(2));
        Gate gate = new Gate();
        spindle.execute(() -> Spindle.callBlocking(() -> {
            gate.run();
            return null;
        }));
        gate.awaitEntered();
        result(spindle.submit(() -> {}));
        until(() -> spindle.stats().idleThreads() == 1);
        spindle.setMaxThreads(1);
        until(() -> spindle.stats().threads() == 1);
        gate.open();
        spindle.close();

        assertThat(events("WorkerEnd"))
                .extracting(event -> event.getString("reason"))
                .containsExactly("maximum lowered", "shutdown");
    }

    @Test
    void m1_workerThatFails_endsForThatReason() throws Exception {
        AtomicBoolean broken = new AtomicBoolean(true);
        Spindle spindle = spindles.of(options()
                .clock(() -> {
                    if (Thread.currentThread().getName().startsWith(name) && broken.getAndSet(false)) {
                        throw new IllegalStateException("expected");
                    }
                    return System.nanoTime();
                })
                .threadFactory(worker -> {
                    Thread thread = new Thread(worker, name);
                    thread.setUncaughtExceptionHandler((t, e) -> {});
                    return thread;
                }));

        result(spindle.submit(() -> {}));
        spindle.close();

        assertThat(events("WorkerEnd"))
                .extracting(event -> event.getString("reason"))
                .containsExactly("failed", "shutdown");
    }

    // ---------------------------------------------------------------- rejections

    @Test
    void m1_rejections_nameWhoRejectedAndWhy() throws Exception {
        Spindle spindle = spindles.of(options());
        spindle.keyed("keys").setKeyCapacity(1, OnFull.reject());
        LogicalExecutor reads = spindle.executor("reads", 1);
        Gate gate = new Gate();
        spindle.keyed("keys").execute("key", gate);
        gate.awaitEntered();
        spindle.keyed("keys").execute("key", () -> {});
        reads.shutdown();

        assertThatThrownBy(() -> spindle.keyed("keys").execute("key", () -> {}))
                .isInstanceOf(RejectedExecutionException.class);
        assertThatThrownBy(() -> reads.execute(() -> {})).isInstanceOf(RejectedExecutionException.class);
        spindle.shutdown();
        assertThatThrownBy(() -> spindle.execute(() -> {})).isInstanceOf(RejectedExecutionException.class);
        gate.open(); // not before, or the spindle would soon be terminated

        List<RecordedEvent> rejections = events("Rejection");
        assertThat(rejections).extracting(event -> event.getString("key")).containsExactly("key", null, null);
        assertThat(rejections).extracting(event -> event.getString("executor")).containsExactly(null, "reads", null);
        assertThat(rejections.get(0).getString("reason")).contains("the capacity of the lane, 1 waiting tasks");
        assertThat(rejections.get(1).getString("reason")).contains("reads").contains("terminated");
        assertThat(rejections.get(2).getString("reason")).contains("is shut down");
        assertThat(rejections.get(0).getStackTrace().getFrames())
                .anyMatch(frame -> frame.getMethod().getType().getName().equals(FlightRecorderTest.class.getName()));
    }
}
