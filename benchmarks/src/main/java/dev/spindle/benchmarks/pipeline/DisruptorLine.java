// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.pipeline;

import com.lmax.disruptor.EventHandler;
import com.lmax.disruptor.RingBuffer;
import com.lmax.disruptor.WaitStrategy;
import com.lmax.disruptor.dsl.Disruptor;
import com.lmax.disruptor.dsl.ProducerType;
import java.util.ArrayList;
import java.util.List;

/** LMAX's Disruptor: a thread for each stage; published one by one, or several at a time. */
final class DisruptorLine implements Line {
    private final Disruptor<Event> disruptor;
    private final RingBuffer<Event> slots;
    private final int batch;

    DisruptorLine(Shape shape, List<Work> works, int ring, WaitStrategy waiting, int batch) {
        this.batch = batch;
        disruptor = new Disruptor<>(Event::new, ring, DisruptorLine::daemon, ProducerType.SINGLE, waiting);
        List<EventHandler<Event>> handlers = new ArrayList<>();
        for (int stage = 0; stage < works.size(); stage++) {
            Work work = works.get(stage);
            EventHandler<Event> handler = (event, sequence, endOfBatch) -> work.see(event);
            handlers.add(handler);
            List<Integer> after = shape.places().get(stage).after();
            if (after.isEmpty()) {
                disruptor.handleEventsWith(handler);
            } else {
                disruptor
                        .after(after.stream().map(handlers::get).toArray(EventHandler<?>[]::new))
                        .handleEventsWith(handler);
            }
        }
        slots = disruptor.start();
    }

    @Override
    public void publish(Source source, int events) {
        if (batch == 1) {
            for (int i = 0; i < events; i++) {
                long sequence = slots.next();
                source.accept(slots.get(sequence));
                slots.publish(sequence);
            }
            return;
        }
        for (int left = events; left > 0; left -= batch) {
            int count = Math.min(batch, left);
            long last = slots.next(count);
            long first = last - count + 1;
            for (long sequence = first; sequence <= last; sequence++) {
                source.accept(slots.get(sequence));
            }
            slots.publish(first, last);
        }
    }

    @Override
    public void close() {
        disruptor.halt();
    }

    static Thread daemon(Runnable task) {
        Thread thread = new Thread(task, "disruptor");
        thread.setDaemon(true);
        return thread;
    }
}
