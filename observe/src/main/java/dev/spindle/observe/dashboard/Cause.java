// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.observe.dashboard;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The reason why a thread does not go on, as its stack tells.
 *
 * @param on the kind of the cause, a word that the page knows
 * @param what the cause in words, after "waits" unless {@code on} is {@code "run"} or {@code "sleep"}
 * @param owner the id of the thread that holds the awaited lock, or 0
 * @param ownerName the name of that thread, or null
 * @param at the user's topmost frame, or the empty text
 */
record Cause(String on, String what, long owner, @Nullable String ownerName, String at) {
    /** The cause of a thread whose stack has not been read. */
    static final Cause UNKNOWN = new Cause("park", "waits", 0, null, "");

    private static final String[] OF_THE_PLATFORM = {
        "java.",
        "javax.",
        "jdk.",
        "sun.",
        "com.sun.",
        "dev.spindle.internal.",
        "dev.spindle.actor.",
        "dev.spindle.channel.",
        "dev.spindle.pipeline.",
        "dev.spindle.flow."
    };
    private static final String FACE = "dev.spindle.";

    /** The class of a frame, from its beginning, with the cause. The first frame that has one decides. */
    private static final Map<String, String[]> BY_CLASS = Map.ofEntries(
            Map.entry("sun.nio.ch.NioSocketImpl", new String[] {"socket", "for an answer on a socket"}),
            Map.entry("sun.nio.ch.SocketChannelImpl", new String[] {"socket", "for an answer on a socket"}),
            Map.entry("sun.nio.ch.DatagramChannelImpl", new String[] {"socket", "for a datagram"}),
            Map.entry("java.net.Socket", new String[] {"socket", "for an answer on a socket"}),
            Map.entry("jdk.internal.net.http.", new String[] {"socket", "for an answer by HTTP"}),
            Map.entry("sun.nio.ch.SelectorImpl", new String[] {"socket", "for a selector"}),
            Map.entry("sun.nio.ch.EPoll", new String[] {"socket", "for a selector"}),
            Map.entry("sun.nio.ch.FileChannelImpl", new String[] {"file", "for a file"}),
            Map.entry("java.io.FileInputStream", new String[] {"file", "for a file"}),
            Map.entry("java.io.RandomAccessFile", new String[] {"file", "for a file"}),
            Map.entry("java.lang.ProcessImpl", new String[] {"process", "for a process"}),
            Map.entry("java.lang.Process", new String[] {"process", "for a process"}),
            Map.entry("java.util.concurrent.CompletableFuture", new String[] {"future", "for a future"}),
            Map.entry("java.util.concurrent.FutureTask", new String[] {"future", "for a future"}),
            Map.entry("dev.spindle.internal.executor.TaskFuture", new String[] {"future", "for a future"}),
            Map.entry("dev.spindle.internal.wait.", new String[] {"room", "for room"}),
            Map.entry("dev.spindle.internal.limit.", new String[] {"room", "for room at a capacity"}),
            Map.entry("java.util.concurrent.CountDownLatch", new String[] {"latch", "for a CountDownLatch"}),
            Map.entry("java.util.concurrent.Semaphore", new String[] {"latch", "for a Semaphore"}),
            Map.entry("java.util.concurrent.CyclicBarrier", new String[] {"latch", "for a CyclicBarrier"}),
            Map.entry("java.util.concurrent.Phaser", new String[] {"latch", "for a Phaser"}),
            Map.entry("java.util.concurrent.Exchanger", new String[] {"queue", "for an Exchanger"}),
            Map.entry("java.util.concurrent.ArrayBlockingQueue", new String[] {"queue", "for a queue"}),
            Map.entry("java.util.concurrent.LinkedBlocking", new String[] {"queue", "for a queue"}),
            Map.entry("java.util.concurrent.LinkedTransferQueue", new String[] {"queue", "for a queue"}),
            Map.entry("java.util.concurrent.PriorityBlockingQueue", new String[] {"queue", "for a queue"}),
            Map.entry("java.util.concurrent.DelayQueue", new String[] {"queue", "for a queue"}),
            Map.entry("java.util.concurrent.SynchronousQueue", new String[] {"queue", "for a queue"}),
            Map.entry("java.util.concurrent.locks.StampedLock", new String[] {"lock", "for a StampedLock"}),
            Map.entry(
                    "java.util.concurrent.locks.ReentrantReadWriteLock",
                    new String[] {"lock", "for a ReentrantReadWriteLock"}),
            Map.entry("java.util.concurrent.locks.ReentrantLock", new String[] {"lock", "for a ReentrantLock"}));

    /**
     * Returns the cause of a thread.
     *
     * @param lock the class of the object that the thread waits for, or null
     * @param owner the id of the thread that holds this object, or -1
     */
    static Cause of(
            Thread.State state,
            StackTraceElement[] stack,
            @Nullable String lock,
            long owner,
            @Nullable String ownerName) {
        String at = at(stack);
        if (owner > 0) {
            String type = simple(lock == null ? "lock" : lock);
            String what =
                    state == Thread.State.BLOCKED ? "for the monitor of " + article(type) : "for " + article(type);
            return new Cause("lock", what + " held by", owner, ownerName, at);
        }
        String[] found = search(state, stack);
        return new Cause(found[0], found[1], 0, null, at);
    }

    private static String[] search(Thread.State state, StackTraceElement[] stack) {
        boolean waits = state != Thread.State.RUNNABLE;
        boolean onCondition = false;
        for (StackTraceElement frame : stack) {
            String type = frame.getClassName();
            String method = frame.getMethodName();
            if (isOfUser(type)) {
                break;
            }
            if (type.equals("java.lang.Thread") && method.startsWith("sleep")) {
                return new String[] {"sleep", "sleeps"};
            }
            if (type.equals("java.lang.Thread") && method.startsWith("join")) {
                return new String[] {"thread", "for the end of a thread"};
            }
            onCondition |= type.endsWith("$ConditionObject");
            String[] known = type.contains("$Sync") ? null : byClass(type);
            if (known != null) {
                return known;
            }
        }
        if (!waits) {
            return new String[] {"run", "is running"};
        }
        boolean notified = stack.length > 0 && stack[0].getMethodName().startsWith("wait");
        return onCondition || notified
                ? new String[] {"notify", notified ? "for a notification" : "for a condition"}
                : new String[] {"park", "waits"};
    }

    private static String @Nullable [] byClass(String type) {
        String longest = "";
        for (String prefix : BY_CLASS.keySet()) {
            longest = type.startsWith(prefix) && prefix.length() > longest.length() ? prefix : longest;
        }
        return BY_CLASS.get(longest);
    }

    /** Returns the first frame that is not of the platform or the library, as a text; empty if there is none. */
    static String at(StackTraceElement[] stack) {
        for (StackTraceElement frame : stack) {
            String type = frame.getClassName();
            if (isOfUser(type)) {
                String file = frame.getFileName();
                String line = file == null ? "" : " (" + file + ":" + frame.getLineNumber() + ")";
                return type.substring(type.lastIndexOf('.') + 1) + "." + frame.getMethodName() + line;
            }
        }
        return "";
    }

    /** Returns whether {@code type} is neither of the JDK nor of this library. */
    static boolean isOfUser(String type) {
        for (String prefix : OF_THE_PLATFORM) {
            if (type.startsWith(prefix)) {
                return false;
            }
        }
        boolean inFace = type.startsWith(FACE) && type.indexOf('.', FACE.length()) < 0;
        return !inFace && !type.contains("$$Lambda"); // the class of a lambda has no line; its caller or body has
    }

    /** Returns the name of the outermost class of {@code type}, without its package. */
    private static String simple(String type) {
        String last = type.substring(type.lastIndexOf('.') + 1);
        int nested = last.indexOf('$');
        return nested > 0 ? last.substring(0, nested) : last;
    }

    private static String article(String noun) {
        return ("AEIOUaeiou".indexOf(noun.charAt(0)) >= 0 ? "an " : "a ") + noun;
    }
}
