// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.models;

import com.lmax.disruptor.EventHandler;
import com.lmax.disruptor.RingBuffer;
import com.lmax.disruptor.YieldingWaitStrategy;
import com.lmax.disruptor.dsl.Disruptor;
import com.lmax.disruptor.dsl.ProducerType;
import java.util.ArrayList;
import java.util.List;

/** Disruptors of one handler, whose threads yield, with a ring of 1,024, for any number of publishers. */
final class DisruptorCrowd implements Crowd {
    private static final int RING = 1_024;
    private final List<Disruptor<Slot>> disruptors = new ArrayList<>();

    DisruptorCrowd(int members, int threads) {}

    private static final class Slot {
        private Object message = "";
    }

    @Override
    public Member member(Behaviour behaviour) {
        Disruptor<Slot> disruptor = new Disruptor<>(
                Slot::new, RING, DisruptorCrowd::daemon, ProducerType.MULTI, new YieldingWaitStrategy());
        EventHandler<Slot> handler =
                (slot, sequence, endOfBatch) -> behaviour.receive(slot.message, DisruptorCrowd::refuse);
        disruptor.handleEventsWith(handler);
        RingBuffer<Slot> slots = disruptor.start();
        disruptors.add(disruptor);
        return message -> {
            long sequence = slots.next();
            slots.get(sequence).message = message;
            slots.publish(sequence);
        };
    }

    private static void refuse(Member to, Object message) {
        throw new IllegalStateException("a handler tells nobody");
    }

    @Override
    public void close() {
        disruptors.forEach(Disruptor::halt);
    }

    static Thread daemon(Runnable task) {
        Thread thread = new Thread(task, "disruptor");
        thread.setDaemon(true);
        return thread;
    }
}
