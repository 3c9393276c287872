// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.pipeline;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/** For model checking: a pipeline of two slots on two lanes run by hand, which notes what it was told and what it has seen. */
final class PublisherModel {
    private final HandLane first = new HandLane("first");
    private final HandLane last = new HandLane("last");
    private final AtomicInteger ids = new AtomicInteger();
    private final ConcurrentLinkedQueue<Integer> accepted = new ConcurrentLinkedQueue<>();
    private final ConcurrentLinkedQueue<Integer> handled = new ConcurrentLinkedQueue<>();
    private final ConcurrentLinkedQueue<CompletableFuture<?>> later = new ConcurrentLinkedQueue<>();
    private final Pipeline<int[]> pipeline;
    private volatile boolean drained;

    PublisherModel(boolean single) {
        PipelineBuilder<int[]> builder = new PipelineBuilder<>(
                        name -> name.endsWith("first") ? first : last, () -> new int[2], 2)
                .stage("first", event -> event[1] = event[0])
                .stage("last", event -> handle(event))
                .after("first");
        pipeline = (single ? builder.singlePublisher() : builder).start();
    }

    private void handle(int[] event) {
        check(event[1] == event[0], "not handled by the first stage: " + event[0]);
        check(!drained, "handled after the end: " + event[0]);
        handled.add(event[0]);
    }

    void offer() {
        int id = ids.incrementAndGet();
        try {
            if (pipeline.offer(event -> event[0] = id)) {
                accepted.add(id);
            }
        } catch (PipelineClosedException e) {
            return; // and nobody may see it
        }
    }

    void publishAsync() {
        int id = ids.incrementAndGet();
        try {
            later.add(pipeline.publishAsync(event -> event[0] = id)
                    .thenRun(() -> accepted.add(id))
                    .toCompletableFuture());
        } catch (PipelineClosedException e) {
            return;
        }
    }

    void work() {
        first.runOne();
        last.runOne();
    }

    void drain() {
        pipeline.drain().thenRun(() -> drained = true);
    }

    void check() {
        while (first.runOne() | last.runOne()) {}
        check(later.stream().allMatch(CompletableFuture::isDone), "waits beside free slots: " + pipeline);
        drain();
        while (first.runOne() | last.runOne()) {}
        check(drained, "does not end: " + pipeline);
        List<Integer> twice = new ArrayList<>(handled);
        Set<Integer> once = new HashSet<>(handled);
        check(twice.size() == once.size(), "handled twice: " + twice);
        check(once.equals(new HashSet<>(accepted)), "accepted " + accepted + ", handled " + handled);
    }

    private static void check(boolean holds, String what) {
        if (!holds) {
            throw new IllegalStateException(what);
        }
    }
}
