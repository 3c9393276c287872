// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.models;

import dev.spindle.benchmarks.forks.Interruptions;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;

/** A thread for each member, and a queue of 1,024 before it. */
final class ThreadCrowd implements Crowd, Crowd.Turn {
    private static final int CAPACITY = 1_024;
    private static final Object END = new Object();

    private final Starter starter;
    private final List<Ref> members = new ArrayList<>();

    /** Starts a thread. */
    interface Starter {
        void start(Runnable task);
    }

    private ThreadCrowd(Starter starter) {
        this.starter = starter;
    }

    static Crowd platform(int members, int threads) {
        return new ThreadCrowd(ThreadCrowd::startPlatform);
    }

    static Crowd virtual(int members, int threads) {
        return new ThreadCrowd(virtualThreads());
    }

    static void startPlatform(Runnable task) {
        Thread thread = new Thread(task, "member");
        thread.setDaemon(true);
        thread.start();
    }

    /** By reflection, since the bytecode is for a JDK that has no virtual threads. */
    static Starter virtualThreads() {
        try {
            Method start = Thread.class.getMethod("startVirtualThread", Runnable.class);
            return task -> {
                try {
                    Object unused = start.invoke(null, task);
                } catch (ReflectiveOperationException e) {
                    throw new IllegalStateException("cannot start a virtual thread", e);
                }
            };
        } catch (NoSuchMethodException e) {
            throw new IllegalStateException("no virtual threads on Java " + Runtime.version(), e);
        }
    }

    @Override
    public Member member(Behaviour behaviour) {
        Ref member = new Ref(new ArrayBlockingQueue<>(CAPACITY));
        members.add(member);
        starter.start(() -> Interruptions.ignoring(() -> {
            for (Object message = member.queue.take(); message != END; message = member.queue.take()) {
                behaviour.receive(message, this);
            }
        }));
        return member;
    }

    @Override
    public void tell(Member to, Object message) {
        Interruptions.ignoring(() -> to.send(message));
    }

    @Override
    public void close() {
        members.forEach(member -> Interruptions.ignoring(() -> member.send(END)));
    }

    private record Ref(BlockingQueue<Object> queue) implements Member {
        @Override
        public void send(Object message) throws InterruptedException {
            queue.put(message);
        }
    }
}
