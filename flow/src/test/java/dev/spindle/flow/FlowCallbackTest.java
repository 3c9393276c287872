// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.flow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.Spindle;
import dev.spindle.flow.limit.Limiter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** U1: code of users runs under no lock, and its failures harm only its own call. */
@SuppressWarnings("FutureReturnValueIgnored") // the tests look at the calls by other means
class FlowCallbackTest {
    private static final Duration LONG = Duration.ofSeconds(30);

    /** Runs {@code action} on another thread and waits for it: impossible if the caller holds a lock that it needs. */
    private static void elsewhere(Runnable action) {
        CompletableFuture<@Nullable Void> done = new CompletableFuture<>();
        Thread thread = new Thread(() -> {
            try {
                action.run();
                done.complete(null);
            } catch (Throwable t) {
                done.completeExceptionally(t);
            }
        });
        thread.start();
        done.orTimeout(20, TimeUnit.SECONDS).join();
    }

    @Test
    void u1_everyCallback_anotherThreadCanUseTheEndpointMeanwhile() {
        List<String> ran = Collections.synchronizedList(new ArrayList<>());
        Backend backend = new Backend();
        try (Spindle spindle = Spindle.create()) {
            AtomicReference<Runnable> use = new AtomicReference<>(() -> {});
            class Told {
                boolean at(String what) {
                    ran.add(what);
                    Runnable once = use.getAndSet(() -> {});
                    elsewhere(once);
                    use.set(once);
                    return true;
                }
            }
            Told told = new Told();
            Limiter limiter = new Limiter() {
                @Override
                public int maxConcurrency(long nanoTime) {
                    told.at("limit");
                    return 10;
                }

                @Override
                public void ended(Sample sample) {
                    told.at("ended");
                }
            };
            Breaker.Pass pass = new Breaker.Pass() {
                @Override
                public void success(Duration elapsed) {
                    told.at("success");
                }

                @Override
                public void failure(Duration elapsed, Outcome<?> outcome) {
                    told.at("failure");
                }

                @Override
                public void ignore() {
                    told.at("release");
                }
            };
            Breaker breaker = new Breaker() {
                @Override
                public Pass tryPass() {
                    told.at("pass");
                    return pass;
                }

                @Override
                public State state() {
                    return State.CLOSED;
                }
            };
            Bulkhead bulkhead = Bulkhead.create(spindle, "db", limiter, 10);
            Endpoint<String, String> endpoint = Endpoint.<String, String>builder(spindle, "db", (q, attempt) -> {
                        told.at("call");
                        attempt.onCancel(() -> told.at("onCancel"));
                        return backend.call(q, attempt);
                    })
                    .bulkhead(bulkhead)
                    .breaker(breaker)
                    .idempotent(q -> told.at("repeatable"))
                    .retries(1)
                    .jitter(() -> told.at("jitter") ? 0 : 1)
                    .failureWhen(outcome -> told.at("failureWhen") && !(outcome instanceof Outcome.Value<?>))
                    .onDiscard(value -> told.at("discard"))
                    .build();
            CompletableFuture<Outcome<String>> open = endpoint.call("open", Deadline.after(spindle, LONG));
            use.set(() -> {
                endpoint.call("inner", Deadline.after(spindle, LONG)).cancel(true);
                assertThat(bulkhead.stats().running()).isNotNegative();
                backend.attempts.get(0).commit();
            });

            CompletableFuture<Outcome<String>> answered = endpoint.call("answered", Deadline.after(spindle, LONG));
            answered.thenRun(() -> told.at("callback"));
            backend.answer(backend.requests.indexOf("answered"), "a");
            CompletableFuture<Outcome<String>> failed = endpoint.call("failed", Deadline.after(spindle, LONG));
            backend.fail(backend.requests.indexOf("failed"), new IllegalStateException("broken"));
            endpoint.call("cancelled", Deadline.after(spindle, LONG)).cancel(true);
            endpoint.discard("x");
            open.cancel(true);
            failed.cancel(true);
            use.set(() -> {});
        }

        assertThat(ran)
                .contains(
                        "limit",
                        "ended",
                        "success",
                        "failure",
                        "release",
                        "pass",
                        "call",
                        "onCancel",
                        "repeatable",
                        "jitter",
                        "failureWhen",
                        "discard",
                        "callback");
    }

    @Test
    void u1_callbackThatBlocks_holdsUpNoTimeLimitOfAnother() throws Exception {
        Backend backend = new Backend();
        CountDownLatch second = new CountDownLatch(1);
        try (Spindle spindle = Spindle.builder().coreThreads(1).maxThreads(4).build()) {
            Endpoint<String, String> endpoint = Endpoint.create(spindle, "db", backend);
            endpoint.call("b", Deadline.after(spindle, Duration.ofMillis(150))).thenRun(second::countDown);
            CompletableFuture<Boolean> first = endpoint.call("a", Deadline.after(spindle, Duration.ofMillis(100)))
                    .thenApply(outcome -> {
                        try {
                            return second.await(20, TimeUnit.SECONDS);
                        } catch (InterruptedException e) {
                            return false;
                        }
                    });

            assertThat(first.get(30, TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    void u1_callbackThatCallsAgain_needsNoDeepStack() throws Exception {
        try (Spindle spindle = Spindle.create()) {
            Endpoint<Integer, Integer> endpoint = Endpoint.<Integer, Integer>builder(
                            spindle, "x", (n, attempt) -> spindle.submit(() -> n + 1))
                    .maxConcurrency(1)
                    .capacity(10)
                    .build();
            CompletableFuture<Integer> end = new CompletableFuture<>();
            again(spindle, endpoint, 0, end);

            assertThat(end.get(60, TimeUnit.SECONDS)).isEqualTo(5_000);
        }
    }

    private static void again(
            Spindle spindle, Endpoint<Integer, Integer> endpoint, int from, CompletableFuture<Integer> end) {
        if (from == 5_000) {
            end.complete(from);
            return;
        }
        endpoint.call(from, Deadline.after(spindle, LONG)).whenComplete((outcome, thrown) -> {
            if (outcome instanceof Outcome.Value<Integer> next) {
                again(spindle, endpoint, next.value(), end);
            } else {
                end.completeExceptionally(new AssertionError(outcome + ", " + thrown));
            }
        });
    }
}
