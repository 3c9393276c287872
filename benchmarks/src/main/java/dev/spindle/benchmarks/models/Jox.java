// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.models;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Array;
import java.util.Arrays;

/**
 * Links of Jox's channels. By method handles, since its classes are for a JDK that is newer than the one for which this
 * is compiled; constant ones, which cost no more than calls.
 */
final class Jox {
    private static final Class<?> CHANNEL = type("Channel");
    private static final Class<?> CLAUSE = type("SelectClause");
    private static final Class<?> CLAUSES = CLAUSE.arrayType();
    private static final MethodHandle RENDEZVOUS = function(CHANNEL, "newRendezvousChannel", CHANNEL);
    private static final MethodHandle BUFFERED = function(CHANNEL, "newBufferedChannel", CHANNEL, int.class);
    private static final MethodHandle SEND = method("send", void.class, Object.class);
    private static final MethodHandle RECEIVE = method("receive", Object.class);
    private static final MethodHandle RECEIVE_CLAUSE = method("receiveClause", CLAUSE);
    private static final MethodHandle SELECT =
            function(type("Select"), "select", Object.class, CLAUSES).asFixedArity();

    private Jox() {}

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
            throw new IllegalStateException("Jox is another", e);
        }
    }

    private static MethodHandle function(Class<?> of, String name, Class<?> result, Class<?>... parameters) {
        try {
            return generic(MethodHandles.publicLookup()
                    .findStatic(of, name, MethodType.methodType(result, parameters))
                    .asFixedArity());
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("Jox is another", e);
        }
    }

    private static MethodHandle generic(MethodHandle handle) {
        return handle.asType(handle.type().generic());
    }

    private static Object channelOf(int capacity) {
        try {
            return capacity == 0 ? (Object) RENDEZVOUS.invokeExact() : (Object) BUFFERED.invokeExact((Object) capacity);
        } catch (Throwable t) {
            throw failed(t);
        }
    }

    private static void sendTo(Object channel, Integer value) throws InterruptedException {
        try {
            Object unused = (Object) SEND.invokeExact(channel, (Object) value);
        } catch (InterruptedException e) {
            throw e;
        } catch (Throwable t) {
            throw failed(t);
        }
    }

    /** A channel that holds so many values, 0 for none. */
    static Link link(int capacity) {
        Object channel = channelOf(capacity);
        return new Link() {
            @Override
            public void send(Integer value) throws InterruptedException {
                sendTo(channel, value);
            }

            @Override
            public Integer receive() throws InterruptedException {
                try {
                    return (Integer) (Object) RECEIVE.invokeExact(channel);
                } catch (InterruptedException e) {
                    throw e;
                } catch (Throwable t) {
                    throw failed(t);
                }
            }
        };
    }

    /** So many rendezvous channels, of which the sender takes one after the other, and the receiver any. */
    static Link select(int count) {
        Object[] channels = new Object[count];
        Arrays.setAll(channels, i -> channelOf(0));
        return new Link() {
            private int next;

            @Override
            public void send(Integer value) throws InterruptedException {
                sendTo(channels[next], value);
                next = next + 1 == count ? 0 : next + 1;
            }

            @Override
            public Integer receive() throws InterruptedException {
                Object[] clauses = (Object[]) Array.newInstance(CLAUSE, count);
                try {
                    for (int i = 0; i < count; i++) {
                        clauses[i] = (Object) RECEIVE_CLAUSE.invokeExact(channels[i]);
                    }
                    return (Integer) (Object) SELECT.invokeExact((Object) clauses);
                } catch (InterruptedException e) {
                    throw e;
                } catch (Throwable t) {
                    throw failed(t);
                }
            }
        };
    }

    private static RuntimeException failed(Throwable failure) {
        return failure instanceof RuntimeException e ? e : new IllegalStateException(failure);
    }
}
