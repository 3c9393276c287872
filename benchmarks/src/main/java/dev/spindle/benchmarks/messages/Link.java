// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.messages;

import dev.spindle.channel.Channel;
import dev.spindle.channel.Select;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Array;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.SynchronousQueue;
import java.util.stream.Stream;

/** Transfers values from one thread to another through a queue or channels. */
record Link(Send send, Receive receive) {
    interface Send {
        void send(Integer value) throws InterruptedException;
    }

    interface Receive {
        Integer receive() throws InterruptedException;
    }

    /** Returns a channel with a buffer of the given size; 0 means a rendezvous channel. */
    static Channel<Integer> channelOf(int capacity) {
        return capacity == 0 ? Channel.rendezvous("channel") : Channel.buffered("channel", capacity);
    }

    static List<Channel<Integer>> channels(int count) {
        return Stream.generate(() -> Channel.<Integer>rendezvous("channel"))
                .limit(count)
                .toList();
    }

    static Link channel(int capacity) {
        Channel<Integer> channel = channelOf(capacity);
        return new Link(channel::send, channel::receive);
    }

    static Link queue(int capacity) {
        BlockingQueue<Integer> queue = capacity == 0 ? new SynchronousQueue<>() : new ArrayBlockingQueue<>(capacity);
        return new Link(queue::put, queue::take);
    }

    /** The sender uses rendezvous channels round-robin, and the receiver selects among them. */
    static Link select(int count) {
        List<Channel<Integer>> channels = channels(count);
        int[] next = new int[1];
        return new Link(
                value -> {
                    channels.get(next[0]).send(value);
                    next[0] = next[0] + 1 == count ? 0 : next[0] + 1;
                },
                () -> {
                    Select<Integer> select = Select.biased(); // the peers' selects are biased
                    channels.forEach(channel -> select.receive(channel, value -> value));
                    return select.await();
                });
    }

    /**
     * Links of Jox's channels. Jox's classes need a newer JDK than this code is compiled for. The code therefore calls
     * Jox's methods by constant method handles, which the JIT compiler inlines.
     */
    static final class Jox {
        private static final Class<?> CHANNEL = type("Channel");
        private static final Class<?> CLAUSE = type("SelectClause");
        private static final MethodHandle RENDEZVOUS = handle(true, CHANNEL, "newRendezvousChannel", CHANNEL);
        private static final MethodHandle BUFFERED = handle(true, CHANNEL, "newBufferedChannel", CHANNEL, int.class);
        private static final MethodHandle SEND = handle(false, CHANNEL, "send", void.class, Object.class);
        private static final MethodHandle RECEIVE = handle(false, CHANNEL, "receive", Object.class);
        private static final MethodHandle RECEIVE_CLAUSE = handle(false, CHANNEL, "receiveClause", CLAUSE);
        private static final MethodHandle SELECT =
                handle(true, type("Select"), "select", Object.class, CLAUSE.arrayType());

        private Jox() {}

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

        private static MethodHandle handle(
                boolean ofClass, Class<?> of, String name, Class<?> result, Class<?>... parameters) {
            MethodHandles.Lookup lookup = MethodHandles.publicLookup();
            MethodType type = MethodType.methodType(result, parameters);
            try {
                MethodHandle found = ofClass ? lookup.findStatic(of, name, type) : lookup.findVirtual(of, name, type);
                return found.asFixedArity().asType(found.type().generic());
            } catch (ReflectiveOperationException e) {
                throw new IllegalStateException("Jox has another " + name, e);
            }
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
                return capacity == 0
                        ? (Object) RENDEZVOUS.invokeExact()
                        : (Object) BUFFERED.invokeExact((Object) capacity);
            } catch (Throwable t) {
                throw new IllegalStateException(t);
            }
        }

        static Link link(int capacity) {
            Object channel = channelOf(capacity);
            return new Link(
                    value -> {
                        Object unused = call(() -> (Object) SEND.invokeExact(channel, (Object) value));
                    },
                    () -> (Integer) call(() -> (Object) RECEIVE.invokeExact(channel)));
        }

        /** The sender uses rendezvous channels round-robin, and the receiver selects among them. */
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
}
