// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.actor;

import static dev.spindle.TestSupport.await;

import dev.spindle.Activity;
import dev.spindle.Spindle;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** A spindle of one worker with a group of actors, for tests; collects failures and drops. */
final class Stage implements AfterEachCallback {
    static final long LIMIT_SECONDS = 20;

    final BlockingQueue<Throwable> failures = new LinkedBlockingQueue<>();
    final BlockingQueue<Object> dropped = new LinkedBlockingQueue<>();
    final Spindle spindle;
    final Actors actors;

    Stage() {
        this(1);
    }

    Stage(int workers) {
        BiConsumer<Activity, Throwable> collect = (activity, thrown) -> failures.add(thrown);
        spindle = Spindle.builder()
                .name("stage")
                .coreThreads(workers)
                .maxThreads(workers)
                .onFailure(collect)
                .build();
        actors = Actors.builder(spindle)
                .onDrop((target, message) -> dropped.add(message))
                .build();
    }

    /** Waits for the end of {@code actor}, for whatever reason. */
    static void ended(ActorRef<?> actor) {
        Throwable unused = endOf(actor);
    }

    /** Returns the failure that ended {@code actor}; null if it was drained or halted. */
    static @Nullable Throwable endOf(ActorRef<?> actor) {
        return dev.spindle.TestSupport.resultOf(
                actor.terminated().<@Nullable Throwable>handle((ended, failure) -> failure));
    }

    /** Removes and returns the next failure, which the test expects. */
    Throwable takeFailure() throws InterruptedException {
        Throwable failure = failures.poll(LIMIT_SECONDS, TimeUnit.SECONDS);
        if (failure == null) {
            throw new AssertionError("no failure within " + LIMIT_SECONDS + " s");
        }
        return failure;
    }

    @Override
    public void afterEach(ExtensionContext context) throws InterruptedException {
        spindle.shutdownNow();
        if (!spindle.awaitTermination(LIMIT_SECONDS, TimeUnit.SECONDS)) {
            throw new AssertionError(spindle + " did not end");
        }
        List<Throwable> left = new ArrayList<>();
        failures.drainTo(left);
        if (!left.isEmpty()) {
            throw new AssertionError("an actor failed: " + left, left.get(0));
        }
    }

    /** An actor that records its messages, and blocks in the first until it is opened. */
    static final class Gate implements Actor<String> {
        final BlockingQueue<String> seen = new LinkedBlockingQueue<>();
        final CountDownLatch entered = new CountDownLatch(1);
        final CountDownLatch opened = new CountDownLatch(1);
        volatile Consumer<ActorContext<String>> then = self -> {};

        @Override
        public void receive(String message, ActorContext<String> self) {
            seen.add(message);
            entered.countDown();
            await(opened);
            then.accept(self);
        }

        /** Blocks {@code ref}, whose behaviour this is, in a message. */
        Gate enter(ActorRef<String> ref) {
            ref.offer("gate");
            await(entered);
            return this;
        }

        /** Returns the messages after the one that blocked. */
        List<String> rest() {
            return seen.stream().skip(1).toList();
        }
    }
}
