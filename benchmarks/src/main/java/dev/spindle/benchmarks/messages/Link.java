// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.messages;

import dev.spindle.channel.Channel;
import dev.spindle.channel.Select;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.SynchronousQueue;
import java.util.stream.Stream;

/** The path of values from one thread to another, through one channel or queue, or through several channels. */
record Link(Send send, Receive receive) {
    interface Send {
        void send(Integer value) throws InterruptedException;
    }

    interface Receive {
        Integer receive() throws InterruptedException;
    }

    /** Returns a channel with a buffer of the given size, 0 for none. */
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

    /** Channels without a buffer: the sender uses them in turn, the receiver receives from any. */
    static Link select(int count) {
        List<Channel<Integer>> channels = channels(count);
        int[] next = new int[1];
        return new Link(
                value -> {
                    channels.get(next[0]).send(value);
                    next[0] = next[0] + 1 == count ? 0 : next[0] + 1;
                },
                () -> {
                    Select<Integer> select = Select.biased(); // the peers' selects are biased, too
                    channels.forEach(channel -> select.receive(channel, value -> value));
                    return select.await();
                });
    }
}
