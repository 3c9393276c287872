// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.Spindle;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The contexts that a task decorator carries to the calls. */
class CallContextsTest extends CallsInMemory {
    private static final ThreadLocal<@Nullable String> CONTEXT = new ThreadLocal<>();

    /** Returns a spindle whose tasks find the CONTEXT of their submit. */
    private static Spindle withContexts() {
        return Spindle.builder()
                .maxThreads(8)
                .taskDecorator(task -> {
                    String submitted = CONTEXT.get();
                    return () -> {
                        String before = CONTEXT.get();
                        CONTEXT.set(submitted);
                        try {
                            task.run();
                        } finally {
                            CONTEXT.set(before);
                        }
                    };
                })
                .build();
    }

    private void submitIn(String context, Calls<String, String> calls, String value) {
        CONTEXT.set(context);
        submit(calls, "k", value);
        CONTEXT.remove();
    }

    @Test
    void m2_attemptsAndDeadLetters_runInTheContextOfTheirRecord() {
        try (Spindle decorated = withContexts()) {
            retries.maxAttempts = 2;
            retries.afterFailure = FailurePolicy.deadLetter("dead");
            CountDownLatch release = new CountDownLatch(1);
            KeyedHandler<String, String> handler = record -> {
                Eventually.await(release); // so that b and c wait behind the attempts of a
                handled.add(record.value() + record.attempt() + CONTEXT.get());
                if (!"c".equals(record.value())) {
                    throw new Exception("on purpose");
                }
            };
            Calls<String, String> calls = new Calls<>(
                    decorated, "test", 100, handler, null, false, retries, (call, failure, policy, acknowledged) -> {
                        handled.add(call.value() + " dead " + CONTEXT.get());
                        acknowledged.accept(null);
                    });
            submitIn("A", calls, "a");
            submitIn("B", calls, "b");
            submitIn("C", calls, "c");
            release.countDown();

            awaitReturned(3);
            assertThat(handled).containsExactly("a1A", "a2A", "a dead A", "b1B", "b2B", "b dead B", "c1C");
        }
    }

    @Test
    void m2_asyncAttempt_runsInTheContextOfItsRecord() {
        try (Spindle decorated = withContexts()) {
            AsyncKeyedHandler<String, String> handler = record -> {
                handled.add(record.value() + record.attempt() + CONTEXT.get());
                return record.attempt() < 2
                        ? CompletableFuture.failedFuture(new Exception("on purpose"))
                        : CompletableFuture.completedFuture("done");
            };
            Calls<String, String> calls = new Calls<>(decorated, "test", 100, null, handler, false, retries, null);
            submitIn("A", calls, "a");
            submitIn("B", calls, "b");

            awaitReturned(2);
            assertThat(handled).containsExactly("a1A", "a2A", "b1B", "b2B");
        }
    }

    @Test
    void m2_coalescing_runsInTheContextOfTheNewestRecord() {
        try (Spindle decorated = withContexts()) {
            CountDownLatch begun = new CountDownLatch(1);
            CountDownLatch release = new CountDownLatch(1);
            KeyedHandler<String, String> handler = record -> {
                handled.add(record.value() + CONTEXT.get());
                begun.countDown();
                Eventually.await(release);
            };
            Calls<String, String> calls = new Calls<>(decorated, "test", 100, handler, null, true, retries, null);
            submitIn("A", calls, "a");
            Eventually.await(begun);
            submitIn("B", calls, "b");
            submitIn("C", calls, "c");
            release.countDown();

            awaitReturned(3);
            assertThat(handled).containsExactly("aA", "cC");
        }
    }
}
