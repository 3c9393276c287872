// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.models;

import dev.spindle.channel.Channel;
import dev.spindle.channel.Select;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.SynchronousQueue;
import java.util.stream.Stream;

/** What passes values from one thread to another. */
interface Link {
    void send(Integer value) throws InterruptedException;

    Integer receive() throws InterruptedException;

    /** Makes a link that holds so many values, 0 for none. */
    interface Maker {
        Link of(int capacity);
    }

    static Link channel(int capacity) {
        Channel<Integer> channel = capacity == 0 ? Channel.rendezvous() : Channel.buffered(capacity);
        return new Link() {
            @Override
            public void send(Integer value) throws InterruptedException {
                channel.send(value);
            }

            @Override
            public Integer receive() throws InterruptedException {
                return channel.receive();
            }
        };
    }

    /** So many rendezvous channels, of which the sender takes one after the other, and the receiver any. */
    static Link select(int count) {
        List<Channel<Integer>> channels =
                Stream.generate(Channel::<Integer>rendezvous).limit(count).toList();
        return new Link() {
            private int next;

            @Override
            public void send(Integer value) throws InterruptedException {
                channels.get(next).send(value);
                next = next + 1 == count ? 0 : next + 1;
            }

            @Override
            public Integer receive() throws InterruptedException {
                Select<Integer> select = Select.biased(); // as others are
                for (Channel<Integer> channel : channels) {
                    select.receive(channel, value -> value);
                }
                return select.await();
            }
        };
    }

    static Link queue(int capacity) {
        BlockingQueue<Integer> queue = capacity == 0 ? new SynchronousQueue<>() : new ArrayBlockingQueue<>(capacity);
        return new Link() {
            @Override
            public void send(Integer value) throws InterruptedException {
                queue.put(value);
            }

            @Override
            public Integer receive() throws InterruptedException {
                return queue.take();
            }
        };
    }
}
