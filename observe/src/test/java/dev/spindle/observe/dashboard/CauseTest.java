// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.observe.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.channels.Selector;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingDeque;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Phaser;
import java.util.concurrent.PriorityBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.concurrent.locks.StampedLock;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

@Timeout(120)
class CauseTest {
    interface Wait {
        void begin() throws Exception;
    }

    @SuppressWarnings("WaitNotInLoop")
    static Stream<Arguments> waits() throws IOException {
        ReentrantLock lock = new ReentrantLock();
        lock.lock();
        ReentrantReadWriteLock reads = new ReentrantReadWriteLock();
        reads.readLock().lock();
        StampedLock stamped = new StampedLock();
        long unused = stamped.readLock();
        Object monitor = new Object();
        ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        return Stream.of(
                wait("latch", "for a CountDownLatch", () -> new CountDownLatch(1).await()),
                wait("latch", "for a Semaphore", () -> new Semaphore(0).acquire()),
                wait("latch", "for a CyclicBarrier", () -> new CyclicBarrier(2).await()),
                wait("latch", "for a Phaser", () -> new Phaser(2).arriveAndAwaitAdvance()),
                wait("future", "for a future", () -> new CompletableFuture<String>().join()),
                wait("future", "for a future", () -> new FutureTask<>(() -> "").get()),
                wait("queue", "for a queue", () -> new ArrayBlockingQueue<>(1).take()),
                wait("queue", "for a queue", () -> new LinkedBlockingQueue<>().take()),
                wait("queue", "for a queue", () -> new LinkedBlockingDeque<>().take()),
                wait("queue", "for a queue", () -> new PriorityBlockingQueue<>().take()),
                wait("queue", "for a queue", () -> new SynchronousQueue<>().take()),
                wait("lock", "for a ReentrantLock held by", lock::lockInterruptibly),
                wait(
                        "lock",
                        "for a ReentrantReadWriteLock",
                        () -> reads.writeLock().lockInterruptibly()),
                wait("lock", "for a StampedLock", stamped::writeLockInterruptibly),
                wait("notify", "for a condition", () -> {
                    ReentrantLock own = new ReentrantLock();
                    own.lock();
                    own.newCondition().await();
                }),
                wait("notify", "for a notification", () -> {
                    synchronized (monitor) {
                        monitor.wait();
                    }
                }),
                wait("park", "waits", LockSupport::park),
                wait("thread", "for the end of a thread", Thread.currentThread()::join),
                wait("socket", "for an answer on a socket", () -> {
                    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.getLocalPort())) {
                        socket.getInputStream().read();
                    }
                }),
                wait("socket", "for a selector", () -> Selector.open().select()),
                wait("run", "is running", () -> {
                    while (!Thread.currentThread().isInterrupted()) {
                        Thread.onSpinWait();
                    }
                }));
    }

    private static Arguments wait(String on, String what, Wait wait) {
        return Arguments.of(on, what, wait);
    }

    @ParameterizedTest
    @MethodSource("waits")
    void cause_ofAWait_isFoundInTheStack(String on, String what, Wait wait) throws Exception {
        Thread thread = new Thread(() -> run(wait));
        thread.setDaemon(true);
        thread.start();
        try {
            Cause cause = cause(thread);
            for (long end = System.nanoTime() + Browser.LONG.toNanos();
                    !(cause.on().equals(on)
                                    && cause.what().equals(what)
                                    && !cause.at().isEmpty())
                            && System.nanoTime() < end; ) {
                cause = cause(thread);
            }

            assertThat(cause.on()).isEqualTo(on);
            assertThat(cause.what()).isEqualTo(what);
            assertThat(cause.at()).contains("CauseTest.").endsWith(")");
        } finally {
            thread.interrupt();
        }
    }

    private static void run(Wait wait) {
        try {
            wait.begin();
        } catch (Exception e) {
            return; // interrupted
        }
    }

    private static Cause cause(Thread thread) {
        ThreadInfo info = ManagementFactory.getThreadMXBean().getThreadInfo(thread.getId(), 64);
        if (info == null) {
            return Cause.UNKNOWN;
        }
        return Cause.of(
                info.getThreadState(),
                info.getStackTrace(),
                info.getLockInfo() == null ? null : info.getLockInfo().getClassName(),
                info.getLockOwnerId(),
                info.getLockOwnerName());
    }

    @Test
    void cause_ofAMonitor_namesItsClassAndOwner() throws Exception {
        Object monitor = new AtomicInteger();
        synchronized (monitor) {
            Thread thread = new Thread(() -> {
                synchronized (monitor) {
                    monitor.notifyAll();
                }
            });
            thread.setDaemon(true);
            thread.start();
            while (thread.getState() != Thread.State.BLOCKED) {
                Thread.onSpinWait();
            }

            Cause cause = cause(thread);

            assertThat(cause.on()).isEqualTo("lock");
            assertThat(cause.what()).isEqualTo("for the monitor of an AtomicInteger held by");
            assertThat(cause.owner()).isEqualTo(Thread.currentThread().getId());
        }
    }

    @ParameterizedTest
    @CsvSource({
        "java.lang.Thread, sleep, sleep",
        "java.lang.Thread, sleep0, sleep",
        "java.io.FileInputStream, readBytes, file",
        "sun.nio.ch.FileChannelImpl, read, file",
        "java.lang.ProcessImpl, waitFor, process",
        "jdk.internal.net.http.HttpClientImpl, send, socket",
        "dev.spindle.internal.executor.TaskFuture, join, future",
        "dev.spindle.internal.limit.FairPermits, await, room",
        "dev.spindle.channel.ChannelCore, send, room",
    })
    void cause_ofAFrame_isKnown(String type, String method, String on) {
        StackTraceElement[] stack = {
            new StackTraceElement("jdk.internal.misc.Unsafe", "park", "Unsafe.java", -2),
            new StackTraceElement(type, method, "File.java", 1),
            new StackTraceElement("dev.spindle.internal.wait.WaitQueue", "await", "WaitQueue.java", 1),
            new StackTraceElement("org.example.Payment", "charge", "Payment.java", 40),
        };

        Cause cause = Cause.of(Thread.State.TIMED_WAITING, stack, null, -1, null);

        assertThat(cause.on()).isEqualTo(on);
        assertThat(cause.at()).isEqualTo("Payment.charge (Payment.java:40)");
    }

    @ParameterizedTest
    @CsvSource({
        "java.util.List, false",
        "dev.spindle.Spindle, false",
        "dev.spindle.internal.pool.Worker, false",
        "dev.spindle.actor.Actors, false",
        "dev.spindle.demo.Flights, true",
        "org.example.Payment, true",
        "Payment, true",
        "org.example.Payment$$Lambda/0x0000000066, false",
    })
    void frame_ofUserCode_isToldFromTheLibrary(String type, boolean isOfUser) {
        assertThat(Cause.isOfUser(type)).isEqualTo(isOfUser);
    }
}
