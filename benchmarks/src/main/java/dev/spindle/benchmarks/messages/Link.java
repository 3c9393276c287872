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

/** The way of values from one thread to another, through one channel or queue, or through several channels. */
record Link(Send send, Receive receive) {
    interface Send {
        void send(Integer value) throws InterruptedException;
    }

    interface Receive {
        Integer receive() throws InterruptedException;
    }

    /** Returns a channel of so much room, 0 for none. */
    static Channel<Integer> channelOf(int capacity) {
        return capacity == 0 ? Channel.rendezvous() : Channel.buffered(capacity);
    }

    static List<Channel<Integer>> channels(int count) {
        return Stream.generate(Channel::<Integer>rendezvous).limit(count).toList();
    }

    static Link channel(int capacity) {
        Channel<Integer> channel = channelOf(capacity);
        return new Link(channel::send, channel::receive);
    }

    static Link queue(int capacity) {
        BlockingQueue<Integer> queue = capacity == 0 ? new SynchronousQueue<>() : new ArrayBlockingQueue<>(capacity);
        return new Link(queue::put, queue::take);
    }

    /** Channels without room: the sender takes one after the other, the receiver any. */
    static Link select(int count) {
        List<Channel<Integer>> channels = channels(count);
        int[] next = new int[1];
        return new Link(
                value -> {
                    channels.get(next[0]).send(value);
                    next[0] = next[0] + 1 == count ? 0 : next[0] + 1;
                },
                () -> {
                    Select<Integer> select = Select.biased(); // as the peers are
                    channels.forEach(channel -> select.receive(channel, value -> value));
                    return select.await();
                });
    }
}
