// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle;

import static dev.spindle.TestSupport.await;
import static dev.spindle.TestSupport.result;
import static dev.spindle.TestSupport.until;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.TestSupport.Gate;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** What {@link SpindleBuilder#virtualThreads} promises, and what its users must know. */
@Timeout(60)
@EnabledForJreRange(min = JRE.JAVA_21)
class VirtualThreadsContractTest {
    @RegisterExtension
    private final Spindles spindles = new Spindles();

    private final List<Gate> gates = new ArrayList<>();

    @AfterEach
    void open() {
        gates.forEach(Gate::open);
    }

    private Spindle spindle() {
        return spindles.of(Spindle.builder().name("orders").coreThreads(2).virtualThreads(true));
    }

    /** Blocks the tasks of {@code count} keys, and waits until all of them run. */
    private void block(Spindle spindle, int count) {
        List<Gate> blocked = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            Gate gate = new Gate();
            blocked.add(gate);
            spindle.keyed("blocked").execute(i, gate);
        }
        gates.addAll(blocked);
        blocked.forEach(Gate::awaitEntered);
    }

    private static boolean isVirtual(Thread thread) {
        return dev.spindle.internal.VirtualThreads.isVirtual(thread);
    }

    @Test
    void t1_workersBeyondTheCore_areVirtualAndHaveTheNameOfTheSpindle() {
        Spindle spindle = spindle();
        Set<Thread> seen = ConcurrentHashMap.newKeySet();
        List<Gate> blocked = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            Gate gate = new Gate();
            blocked.add(gate);
            spindle.execute(() -> {
                seen.add(Thread.currentThread());
                gate.run();
            });
        }
        gates.addAll(blocked);
        blocked.forEach(Gate::awaitEntered);
        List<Thread> platform =
                seen.stream().filter(thread -> !isVirtual(thread)).toList();
        assertThat(platform).extracting(Thread::getName).containsExactlyInAnyOrder("orders-1", "orders-2");
        assertThat(seen).hasSize(100);
        assertThat(seen)
                .filteredOn(VirtualThreadsContractTest::isVirtual)
                .allMatch(thread -> thread.getName().startsWith("orders-virtual-"))
                .allMatch(thread -> thread.getContextClassLoader() == Spindle.class.getClassLoader());
    }

    @Test
    void t1_maximumThatIsNotSet_isTenThousand() {
        assertThat(spindle().stats().maxThreads()).isEqualTo(10_000);
        Spindle large = spindles.of(Spindle.builder().coreThreads(20_000).virtualThreads(true));
        assertThat(large.stats().maxThreads()).isEqualTo(20_000);
        Spindle set = spindles.of(Spindle.builder().maxThreads(1_000_000).virtualThreads(true));
        assertThat(set.stats().maxThreads()).isEqualTo(1_000_000);
    }

    @Test
    void auxiliaryThreadFactory_wins() {
        List<Thread> made = new ArrayList<>();
        ThreadFactory own = worker -> {
            Thread thread = new Thread(worker, "own");
            synchronized (made) {
                made.add(thread);
            }
            return thread;
        };
        Spindle spindle = spindles.of(
                Spindle.builder().coreThreads(1).virtualThreads(true).auxiliaryThreadFactory(own));
        assertThat(spindle.stats().maxThreads()).isEqualTo(64);
        block(spindle, 4);
        synchronized (made) {
            assertThat(made).hasSizeGreaterThanOrEqualTo(3).noneMatch(VirtualThreadsContractTest::isVirtual);
        }
    }

    @Test
    void k3_thousandsOfKeysThatBlock_runAtOnceAndInOrder() {
        Spindle spindle = spindle();
        int keys = 3_000;
        List<List<Integer>> seen = new ArrayList<>();
        CountDownLatch all = new CountDownLatch(keys); // opens only if the first tasks of all keys run at once
        CountDownLatch done = new CountDownLatch(3 * keys);
        for (int i = 0; i < 3 * keys; i++) {
            int number = i;
            if (i < keys) {
                seen.add(new ArrayList<>()); // plain: ordered by the lane
            }
            spindle.keyed("keys").execute(i % keys, () -> {
                all.countDown();
                await(all);
                seen.get(number % keys).add(number);
                done.countDown();
            });
        }
        await(done);
        assertThat(seen).allSatisfy(of -> assertThat(of).hasSize(3).isSorted());
    }

    /** A core thread that is free is woken before a virtual one. */
    @Test
    void t3_tasksThatComputeOneAtATime_runOnCoreThreads() {
        Spindle spindle = spindle();
        block(spindle, 200);
        gates.forEach(Gate::open);
        until(() -> spindle.stats().running() == 0);
        AtomicInteger onCore = new AtomicInteger(); // in a row; virtual threads may still be about to become idle
        until(() -> {
            boolean virtual = result(spindle.submit(() -> isVirtual(Thread.currentThread())));
            onCore.set(virtual ? 0 : onCore.get() + 1);
            return onCore.get() == 200;
        });
    }

    /** After a time in which hundreds waited, no more than T3 allows compute, and others' virtual threads go on. */
    @Test
    void t3_floodOfTasksThatCompute_leavesCarriersToOthers() throws InterruptedException {
        Spindle spindle = spindle();
        block(spindle, 200);
        gates.forEach(Gate::open);
        until(() -> spindle.stats().running() == 0);
        Flood flood = new Flood(spindle, SHORT);
        runOthers(50);
        flood.end();
        assertThat(flood.most.get()).isLessThanOrEqualTo(Runtime.getRuntime().availableProcessors() + 2);
    }

    /** Virtual threads that compute while the core is blocked stop doing so when it is free again. */
    @Test
    void t3_tasksThatCompute_leaveTheCarriersToTheCore() {
        Spindle spindle = spindle();
        block(spindle, 2);
        Flood flood = new Flood(spindle, SHORT);
        until(() -> flood.ranOnVirtual);
        gates.forEach(Gate::open);
        until(() -> flood.sinceVirtual.get() > 1_000);
        flood.end();
    }

    /** With a core that is blocked, virtual threads compute, and give their carriers to others now and then. */
    @Test
    void t7_floodWhileTheCoreIsBlocked_letsOthersRun() throws InterruptedException {
        floodWhileTheCoreIsBlocked(SHORT, 100);
    }

    /** As above. More workers than can pause at a time would keep the carriers of tasks of several milliseconds. */
    @Test
    void t7_floodOfLongTasksWhileTheCoreIsBlocked_letsOthersRun() throws InterruptedException {
        floodWhileTheCoreIsBlocked(20 * SHORT, 20);
    }

    private void floodWhileTheCoreIsBlocked(int steps, int others) throws InterruptedException {
        Spindle spindle = spindle();
        block(spindle, 2);
        Flood flood = new Flood(spindle, steps);
        until(() -> flood.ranOnVirtual);
        runOthers(others);
        flood.end();
    }

    /** Runs virtual threads that are not of a spindle, one at a time. */
    private static void runOthers(int count) throws InterruptedException {
        ThreadFactory others = dev.spindle.internal.VirtualThreads.factory("other");
        for (int i = 0; i < count; i++) {
            CountDownLatch ran = new CountDownLatch(1);
            requireNonNull(others.newThread(ran::countDown)).start();
            // not longer than the tasks that block the core may wait: the carriers are free then
            assertThat(ran.await(5, TimeUnit.SECONDS)).isTrue();
        }
    }

    /** The steps of a task of about 0.3 ms. */
    private static final int SHORT = 50_000;

    /** Tasks that compute, each of which submits itself again. */
    private static final class Flood implements Runnable {
        private final Spindle spindle;
        private final int steps;
        private final AtomicInteger computing = new AtomicInteger();
        final AtomicInteger most = new AtomicInteger();
        final AtomicInteger sinceVirtual = new AtomicInteger(); // tasks since the last one on a virtual thread
        private volatile boolean ended;
        volatile boolean ranOnVirtual;

        Flood(Spindle spindle, int steps) {
            this.spindle = spindle;
            this.steps = steps;
            for (int i = 0; i < 64; i++) {
                spindle.execute(this);
            }
        }

        @Override
        public void run() {
            most.accumulateAndGet(computing.incrementAndGet(), Math::max);
            if (isVirtual(Thread.currentThread())) {
                ranOnVirtual = true;
                sinceVirtual.set(0);
            } else {
                sinceVirtual.incrementAndGet();
            }
            long sum = 0;
            for (int n = 0; n < steps; n++) {
                sum += ThreadLocalRandom.current().nextInt();
            }
            computing.decrementAndGet();
            if (!ended && sum != 1) {
                spindle.execute(this);
            }
        }

        void end() {
            ended = true;
        }
    }

    @Test
    void threadLocal_ofAnEarlierTask_isFoundByLaterOnes() {
        Spindle spindle = spindle();
        ThreadLocal<Integer> local = new ThreadLocal<>();
        block(spindle, 20);
        AtomicInteger old = new AtomicInteger();
        for (int i = 0; i < 500; i++) {
            int number = i;
            result(spindle.submit(() -> {
                if (local.get() != null) {
                    old.incrementAndGet();
                }
                local.set(number);
            }));
        }
        assertThat(old).as("a worker runs many tasks, as in each pool").hasPositiveValue();
    }

    @Test
    @EnabledForJreRange(min = JRE.JAVA_24) // until then each would keep its carrier
    void monitors_keysThatWaitInside_runAtOnce() {
        Spindle spindle = spindle();
        int keys = 100;
        CountDownLatch all = new CountDownLatch(keys);
        for (int i = 0; i < keys; i++) {
            Object monitor = new Object();
            spindle.keyed("keys").execute(i, () -> {
                synchronized (monitor) {
                    all.countDown();
                    await(all);
                }
            });
        }
        await(all);
    }

    @Test
    void dumpToFile_keyInThreadName_namesTheKeyThatBlocks(@TempDir Path folder) throws Exception {
        Spindle spindle = spindles.of(
                Spindle.builder().coreThreads(1).virtualThreads(true).keyInThreadName(true));
        block(spindle, 20);
        Path file = folder.resolve("threads.txt");
        dump(file);
        List<String> lines = Files.readAllLines(file);
        for (int key = 0; key < 20; key++) {
            String name = "key blocked/" + key + "\"";
            assertThat(lines).anyMatch(line -> line.contains(name));
        }
    }

    private static void dump(Path file) throws Exception {
        Process run = new ProcessBuilder(
                        Path.of(requireNonNull(System.getProperty("java.home")), "bin", "jcmd")
                                .toString(),
                        Long.toString(ProcessHandle.current().pid()),
                        "Thread.dump_to_file",
                        file.toString())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        assertThat(run.waitFor()).isZero();
    }

    @Test
    void close_whileThousandsOfKeysWait_runsAllOfThem() {
        Spindle spindle = spindle();
        AtomicInteger ran = new AtomicInteger();
        for (int i = 0; i < 5_000; i++) {
            spindle.keyed("keys").execute(i, () -> {
                LockSupport.parkNanos(Duration.ofMillis(5).toNanos());
                ran.incrementAndGet();
            });
        }
        spindle.close();
        assertThat(ran).hasValue(5_000);
    }
}
