// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle;

import static dev.spindle.TestSupport.await;
import static dev.spindle.TestSupport.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * T3: the pool finds the necessary number of awake workers by itself while tasks keep finishing, so that no work is
 * stuck. The tests require that the promised happens at all, not in time, since a machine under load may often be late.
 */
@Timeout(120)
class ElasticityContractTest {
    private static final int PROCESSORS = Runtime.getRuntime().availableProcessors();
    private static final int CHAINS = 64;

    @RegisterExtension
    private final Spindles spindles = new Spindles();

    private final AtomicInteger open = new AtomicInteger(); // chains that have not ended
    private final AtomicInteger now = new AtomicInteger();
    private volatile boolean ends;

    @AfterEach
    void end() {
        ends = true;
        until(() -> open.get() == 0);
    }

    /** A way to submit tasks. */
    enum Entry {
        PLAIN,
        KEYS,
        LOGICAL;

        Function<Integer, Executor> of(Spindle spindle) {
            return switch (this) {
                case PLAIN -> chain -> spindle;
                case KEYS -> chain -> spindle.<Integer>keyed("keys").at(chain);
                case LOGICAL -> {
                    Executor logical = spindle.executor("logical", 32);
                    yield chain -> logical;
                }
            };
        }
    }

    /** Starts tasks that resubmit themselves until the end of the test. */
    private void run(Function<Integer, Executor> executors, Runnable body) {
        open.addAndGet(CHAINS);
        for (int i = 0; i < CHAINS; i++) {
            Executor executor = executors.apply(i);
            executor.execute(new Runnable() {
                @Override
                public void run() {
                    body.run();
                    if (ends) {
                        open.decrementAndGet();
                    } else {
                        executor.execute(this);
                    }
                }
            });
        }
    }

    private void endRun() {
        end();
        ends = false;
    }

    /** Waits for a millisecond, and counts the threads that do so at the same time. */
    private void waitAMoment() {
        now.incrementAndGet();
        LockSupport.parkNanos(1_000_000);
        now.decrementAndGet();
    }

    private static void computeAMoment() {
        long end = System.nanoTime() + 10_000;
        while (System.nanoTime() - end < 0) {
            Thread.onSpinWait();
        }
    }

    private static int awake(Spindle spindle) {
        SpindleStats stats = spindle.stats();
        return stats.threads() - stats.idleThreads();
    }

    @ParameterizedTest
    @EnumSource
    void t3_tasksThatSleepForAMoment_runManyAtOnce(Entry entry) {
        Spindle spindle = spindles.of(spindles.builder().maxThreads(64));
        run(entry.of(spindle), this::waitAMoment);
        until(() -> now.get() >= 28);
    }

    @ParameterizedTest
    @EnumSource
    void t3_oneTaskOfTenSleeps_manySleepAtOnce(Entry entry) {
        Spindle spindle = spindles.of(spindles.builder().maxThreads(64));
        run(entry.of(spindle), () -> {
            if (ThreadLocalRandom.current().nextInt(10) == 0) {
                waitAMoment();
            } else {
                computeAMoment();
            }
        });
        until(() -> now.get() >= 6);
    }

    /** A thread that reads a socket is RUNNABLE to the JVM. */
    @ParameterizedTest
    @EnumSource
    @EnabledOnOs(OS.LINUX)
    void t3_tasksThatReadSockets_runManyAtOnce(Entry entry) throws IOException {
        Spindle spindle = spindles.of(spindles.builder().maxThreads(64));
        BlockingQueue<Socket> clients = new LinkedBlockingQueue<>();
        List<Socket> servers = new ArrayList<>();
        try (ServerSocket server = new ServerSocket(0, CHAINS, InetAddress.getLoopbackAddress())) {
            for (int i = 0; i < CHAINS; i++) {
                Socket client = new Socket(InetAddress.getLoopbackAddress(), server.getLocalPort());
                client.setSoTimeout(2);
                clients.add(client);
                servers.add(server.accept());
            }
            run(entry.of(spindle), () -> {
                Socket client = clients.remove();
                now.incrementAndGet();
                try {
                    assertThat(client.getInputStream().read())
                            .as("no peer writes")
                            .isZero();
                } catch (SocketTimeoutException e) {
                    clients.add(client); // as expected
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                } finally {
                    now.decrementAndGet();
                }
            });
            until(() -> now.get() >= 24);
            end();
        } finally {
            for (Socket socket : servers) {
                socket.close();
            }
            for (Socket client : clients) {
                client.close();
            }
        }
    }

    @Test
    void t3_virtualAuxiliaries_countAsOthersDo() {
        assumeTrue(Runtime.version().feature() >= 21, "virtual threads need JDK 21 or newer");
        Spindle spindle = spindles.of(spindles.builder()
                .maxThreads(64)
                .auxiliaryThreadFactory(AuxiliaryThreadsTest.Kind.VIRTUAL.factory("virtual-")));
        run(Entry.PLAIN.of(spindle), this::waitAMoment);
        until(() -> now.get() >= 28);
    }

    @Test
    void t3_tasksThatSayThatTheyBlockAmongOthersThatDoNot_areAllReplaced() {
        Spindle spindle = spindles.of(spindles.builder().maxThreads(64));
        AtomicInteger said = new AtomicInteger();
        run(Entry.PLAIN.of(spindle), () -> {
            if (ThreadLocalRandom.current().nextBoolean()) {
                said.incrementAndGet();
                Spindle.callBlocking(() -> {
                    LockSupport.parkNanos(1_000_000);
                    return null;
                });
                said.decrementAndGet();
            } else {
                waitAMoment();
            }
        });
        until(() -> said.get() >= 10 && now.get() >= 10);
    }

    @Test
    void t3_asManyThreadsAsMayBeAllWait_andAllOfThemWork() {
        Spindle spindle = spindles.of(spindles.builder().coreThreads(1).maxThreads(4));
        run(Entry.PLAIN.of(spindle), this::waitAMoment);
        until(() -> now.get() == 4);
        assertThat(spindle.stats().peakThreads()).isEqualTo(4);
    }

    @Test
    void t3_poolOfOneThread_staysOne() {
        Spindle spindle = spindles.of(spindles.builder().coreThreads(1).maxThreads(1));
        AtomicInteger ran = new AtomicInteger();
        run(Entry.PLAIN.of(spindle), () -> {
            waitAMoment();
            ran.incrementAndGet();
        });
        until(() -> ran.get() >= 100);
        assertThat(spindle.stats().peakThreads()).isEqualTo(1);
    }

    /** Also if the maximum number of threads is at work, so that none of them watches. */
    @ParameterizedTest
    @ValueSource(ints = {8, 64})
    void t3_waitingIsOver_asManyWorkAsThereAreProcessors(int max) {
        Spindle spindle = spindles.of(spindles.builder().coreThreads(max).maxThreads(max));
        int few = Math.min(max - 1, PROCESSORS + 1);
        AtomicBoolean computes = new AtomicBoolean();
        run(Entry.PLAIN.of(spindle), () -> {
            if (computes.get()) {
                computeAMoment();
            } else {
                waitAMoment();
            }
        });
        for (int round = 0; round < 3; round++) {
            until(() -> awake(spindle) == max || (max > 8 && now.get() >= max * 3 / 4));
            computes.set(true);
            until(() -> awake(spindle) <= few);
            computes.set(false);
        }
    }

    @Test
    void t3_stoppedWaiting_aLimitFromBeforeDoesNotStay() {
        Spindle spindle = spindles.of(spindles.builder().coreThreads(16).maxThreads(16));
        run(Entry.PLAIN.of(spindle), this::waitAMoment);
        until(() -> now.get() >= 12);
        endRun();
        until(() -> awake(spindle) == 0);
        CountDownLatch done = new CountDownLatch(1);
        spindle.execute(done::countDown);
        await(done);
        run(Entry.PLAIN.of(spindle), ElasticityContractTest::computeAMoment);
        until(() -> awake(spindle) <= PROCESSORS + 1);
    }

    @Test
    void t1_threadsForTasksThatWaited_endAfterTheKeepAlive() {
        Spindle spindle =
                spindles.of(spindles.builder().maxThreads(64).growCoreAfter(0).keepAlive(Duration.ofMillis(20)));
        run(Entry.PLAIN.of(spindle), this::waitAMoment);
        until(() -> now.get() >= 28);
        endRun();
        until(() -> spindle.stats().threads() == 2);
    }

    /** Measures by a clock that advances only as tasks end, so that times without a processor do not count. */
    private long flow(Spindle spindle, FlowClock clock, int millis, Runnable body) {
        long submitted = 0;
        while (clock.getAsLong() < millis * 1_000_000L) { // a sample every 5 ms
            if (submitted - clock.ended.get() < 10_000) {
                spindle.execute(() -> {
                    body.run();
                    clock.run();
                });
                submitted++;
            }
        }
        long all = submitted;
        until(() -> clock.ended.get() == all);
        return all;
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 8, 64})
    void t3_tasksThatCompute_neverHaveMoreThanTwoThreadsBeyondTheProcessors(int core) {
        FlowClock clock = new FlowClock();
        Spindle spindle =
                spindles.of(spindles.builder().coreThreads(core).maxThreads(64).clock(clock));
        flow(spindle, clock, 200, () -> {});
        assertThat(spindle.stats().peakThreads()).isLessThanOrEqualTo(PROCESSORS + 2);
    }

    /** More workers would wait for the same lock. */
    @Test
    void t3_oneLockForAll_addsFewThreads() {
        FlowClock clock = new FlowClock();
        Spindle spindle = spindles.of(spindles.builder().maxThreads(64).clock(clock));
        ReentrantLock lock = new ReentrantLock(true); // fair, so no thread waits for long
        flow(spindle, clock, 1_000, () -> {
            lock.lock();
            try {
                computeAMoment();
            } finally {
                lock.unlock();
            }
        });
        assertThat(spindle.stats().peakThreads()).isLessThanOrEqualTo(2 * PROCESSORS + 4);
    }

    /** Two strands for which one worker is faster; at times a long task of one of them needs a second worker. */
    @Test
    void t3_longTaskAmongShortOnesThatHandEachOtherWork_holdsUpNobody() {
        Spindle spindle = spindles.of(spindles.builder().coreThreads(2).maxThreads(2));
        Strand sender = spindle.strand("sender");
        Strand receiver = spindle.strand("receiver");
        for (int round = 0; round < 10; round++) {
            long end = System.nanoTime() + 20_000_000;
            CountDownLatch done = new CountDownLatch(1);
            sender.execute(new Runnable() {
                @Override
                public void run() {
                    for (int i = 0; i < 256; i++) {
                        receiver.execute(() -> {});
                    }
                    if (System.nanoTime() - end < 0) {
                        sender.execute(this);
                        return;
                    }
                    AtomicBoolean reached = new AtomicBoolean();
                    receiver.execute(() -> reached.set(true));
                    while (!reached.get()) {
                        Thread.onSpinWait();
                    }
                    done.countDown();
                }
            });
            await(done);
        }
    }
}
