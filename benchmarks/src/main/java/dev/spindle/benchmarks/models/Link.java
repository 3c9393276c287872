// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.models;

import dev.spindle.channel.Channel;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.SynchronousQueue;

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
