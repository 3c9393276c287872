// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.actor;

import static dev.spindle.TestSupport.usedBytes;
import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.Spindle;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The memory of a large number of idle actors (S2). */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ActorMemoryTest {
    private static final int ACTORS = 100_000;
    private static final long MOST_BYTES = 268; // 256, a reference, and what a collection leaves uncertain

    /** An actor with one field. */
    private static final class Counter implements Actor<Integer> {
        int sum;

        @Override
        public void receive(Integer message, ActorContext<Integer> self) {
            sum += message;
            assertThat(sum).isPositive();
        }
    }

    @Test
    void s2_aHundredThousandIdleActors_costLittleMemoryAndNoWakeUp() throws Exception {
        Spindle spindle = Spindle.builder().coreThreads(1).maxThreads(1).build();
        Actors actors = Actors.create(spindle);
        List<ActorRef<Integer>> refs = new ArrayList<>(ACTORS);
        actors.actor("counter", Counter::new).send(1); // so that what all actors share is there
        while (!actors.busiest(1).isEmpty()) {
            Thread.onSpinWait();
        }
        long before = usedBytes();
        for (int i = 0; i < ACTORS; i++) {
            refs.add(actors.actor("counter", Counter::new));
        }
        for (ActorRef<Integer> ref : refs) {
            ref.send(1); // so that every actor has run
        }
        while (!actors.busiest(1).isEmpty()) {
            Thread.onSpinWait();
        }
        settle(spindle);
        long bytes = (usedBytes() - before) / ACTORS;
        long wakeUps = spindle.stats().wakeUps();

        assertThat(bytes).as("bytes for each actor").isBetween(50L, MOST_BYTES);
        assertThat(actors.size()).isEqualTo(ACTORS + 1);
        assertThat(spindle.stats().wakeUps()).isEqualTo(wakeUps);
        actors.close();
        assertThat(actors.size()).isZero();
        assertThat(refs).hasSize(ACTORS);
        spindle.shutdown();
        assertThat(spindle.awaitTermination(20, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void u2_sendAsyncToAFullMailbox_allocatesTheSameHoweverManyWait() throws Exception {
        Stage stage = new Stage();
        Stage.Gate gate = new Stage.Gate();
        ActorRef<String> ref = stage.actors.actor("full", () -> gate);
        gate.enter(ref);
        while (ref.offer("fills")) {
            Thread.onSpinWait();
        }
        List<Object> stages = new ArrayList<>(50_000);
        long few = bytesOfSends(ref, stages);
        for (int i = 0; i < 20_000; i++) {
            stages.add(ref.sendAsync("waits"));
        }
        long many = bytesOfSends(ref, stages);

        assertThat(many)
                .as("bytes of a call, when few wait: " + few)
                .isLessThan(2 * few + 200)
                .isLessThan(1_000);
        gate.opened.countDown();
        stage.actors.close(); // otherwise the actor would be interrupted in a message
        stage.afterEach(dev.spindle.TestSupport.unsafeNull());
    }

    private static long bytesOfSends(ActorRef<String> ref, List<Object> stages) {
        var threads = (com.sun.management.ThreadMXBean) java.lang.management.ManagementFactory.getThreadMXBean();
        for (int i = 0; i < 1_000; i++) {
            stages.add(ref.sendAsync("warms up"));
        }
        long before = threads.getThreadAllocatedBytes(Thread.currentThread().getId());
        for (int i = 0; i < 1_000; i++) {
            stages.add(ref.sendAsync("waits"));
        }
        return (threads.getThreadAllocatedBytes(Thread.currentThread().getId()) - before) / 1_000;
    }

    private static void settle(Spindle spindle) throws Exception {
        spindle.submit(() -> {}).get();
    }
}
