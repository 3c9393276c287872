// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.messages;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Array;
import java.util.Arrays;

/**
 * Links of Jox's channels. They are called by constant method handles, which cost no more than direct calls, since
 * Jox's classes are for a newer JDK than the one for which this code is compiled.
 */
final class Jox {
    private static final Class<?> CHANNEL = type("Channel");
    private static final Class<?> CLAUSE = type("SelectClause");
    private static final MethodHandle RENDEZVOUS = function(CHANNEL, "newRendezvousChannel", CHANNEL);
    private static final MethodHandle BUFFERED = function(CHANNEL, "newBufferedChannel", CHANNEL, int.class);
    private static final MethodHandle SEND = method("send", void.class, Object.class);
    private static final MethodHandle RECEIVE = method("receive", Object.class);
    private static final MethodHandle RECEIVE_CLAUSE = method("receiveClause", CLAUSE);
    private static final MethodHandle SELECT = function(type("Select"), "select", Object.class, CLAUSE.arrayType());

    private Jox() {}

    /** A call that may throw any exception. */
    private interface Call {
        Object call() throws Throwable;
    }

    private static Class<?> type(String name) {
        try {
            return Class.forName("com.softwaremill.jox." + name);
        } catch (ClassNotFoundException | UnsupportedClassVersionError e) {
            throw new IllegalStateException("no Jox on Java " + Runtime.version(), e);
        }
    }

    private static MethodHandle method(String name, Class<?> result, Class<?>... parameters) {
        try {
            return generic(
                    MethodHandles.publicLookup().findVirtual(CHANNEL, name, MethodType.methodType(result, parameters)));
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("Jox has another " + name, e);
        }
    }

    private static MethodHandle function(Class<?> of, String name, Class<?> result, Class<?>... parameters) {
        try {
            return generic(
                    MethodHandles.publicLookup().findStatic(of, name, MethodType.methodType(result, parameters)));
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("Jox has another " + name, e);
        }
    }

    private static MethodHandle generic(MethodHandle handle) {
        return handle.asFixedArity().asType(handle.type().generic());
    }

    private static Object call(Call call) throws InterruptedException {
        try {
            return call.call();
        } catch (InterruptedException | RuntimeException e) {
            throw e;
        } catch (Throwable t) {
            throw new IllegalStateException(t);
        }
    }

    private static Object channelOf(int capacity) {
        try {
            return capacity == 0 ? (Object) RENDEZVOUS.invokeExact() : (Object) BUFFERED.invokeExact((Object) capacity);
        } catch (Throwable t) {
            throw new IllegalStateException(t);
        }
    }

    /** A channel with a buffer of the given size, 0 for none. */
    static Link link(int capacity) {
        Object channel = channelOf(capacity);
        return new Link(
                value -> {
                    Object unused = call(() -> (Object) SEND.invokeExact(channel, (Object) value));
                },
                () -> (Integer) call(() -> (Object) RECEIVE.invokeExact(channel)));
    }

    /** Channels without a buffer: the sender uses them in turn, the receiver receives from any. */
    static Link select(int count) {
        Object[] channels = new Object[count];
        Arrays.setAll(channels, i -> channelOf(0));
        int[] next = new int[1];
        return new Link(
                value -> {
                    Object unused = call(() -> (Object) SEND.invokeExact(channels[next[0]], (Object) value));
                    next[0] = next[0] + 1 == count ? 0 : next[0] + 1;
                },
                () -> (Integer) call(() -> {
                    Object[] clauses = (Object[]) Array.newInstance(CLAUSE, count);
                    for (int i = 0; i < count; i++) {
                        clauses[i] = (Object) RECEIVE_CLAUSE.invokeExact(channels[i]);
                    }
                    return (Object) SELECT.invokeExact((Object) clauses);
                }));
    }
}
