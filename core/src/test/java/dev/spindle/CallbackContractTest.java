// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle;

import static dev.spindle.TestSupport.await;
import static dev.spindle.TestSupport.result;
import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.TestSupport.Gate;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * User code that blocks, throws and calls back in, at each place where user code runs. docs/callbacks.md lists the
 * places.
 */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@SuppressWarnings({"FutureReturnValueIgnored", "UnnecessaryLambda"}) // the outcomes are checked by other means
class CallbackContractTest {
    private static final Runnable NOTHING = () -> {};

    /** True until the code under test has run; some places would run it repeatedly. */
    private final AtomicBoolean armed = new AtomicBoolean(true);

    private Runnable code = NOTHING;
    private final Hooks hooks = new Hooks();
    private final Spindle spindle = Spindles.options()
            .coreThreads(1)
            .maxThreads(4)
            .onFailure((activity, failure) -> hooks.run(Place.FAILURE_HANDLER))
            .taskDecorator(hooks)
            .threadFactory(body -> {
                hooks.run(Place.THREAD_FACTORY);
                return new Thread(body);
            })
            .build();
    private final Keyed<Object> keys =
            spindle.keyedBuilder("keys").keyCapacity(2, OnFull.dropOldest()).build();
    private @Nullable Place place;

    private final class Hooks implements TestDecorator {
        void run(Place where) {
            if (where == place) {
                runCode();
            }
        }

        @Override
        public @Nullable Object capture() {
            run(Place.CONTEXT_CAPTURE);
            return null;
        }

        @Override
        public Runnable restore(@Nullable Object captured) {
            run(Place.CONTEXT_RESTORE);
            return () -> run(Place.CONTEXT_CLOSE);
        }
    }

    private void runCode() {
        if (armed.compareAndSet(true, false)) {
            code.run();
        }
    }

    /** A key whose methods run the code under test. */
    private final class CodeKey {
        @Override
        public int hashCode() {
            runCode();
            return 1;
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof CodeKey;
        }
    }

    enum Place {
        TASK {
            @Override
            void reach(CallbackContractTest test) {
                test.keys.execute("k", test::runCode);
            }
        },
        FUTURE {
            @Override
            void reach(CallbackContractTest test) {
                Gate gate = new Gate();
                test.keys.execute("k", gate);
                test.listen(test.keys.submit("k", () -> 1));
                gate.open();
            }
        },
        FUTURE_CANCELLED {
            @Override
            void reach(CallbackContractTest test) {
                Gate gate = new Gate();
                test.keys.execute("k", gate);
                CompletableFuture<Integer> future = test.keys.submit("k", () -> 1);
                test.listen(future);
                try {
                    future.cancel(false);
                } finally {
                    gate.open();
                }
            }
        },
        CANCEL_PENDING {
            @Override
            void reach(CallbackContractTest test) {
                Gate gate = new Gate();
                test.keys.execute("k", gate);
                gate.awaitEntered();
                test.listen(test.keys.submit("k", () -> 1));
                try {
                    test.keys.at("k").cancelPending();
                } finally {
                    gate.open();
                }
            }
        },
        DROPPED {
            @Override
            void reach(CallbackContractTest test) {
                Gate gate = new Gate();
                test.keys.execute("k", gate);
                gate.awaitEntered();
                test.listen(test.keys.submit("k", () -> 1));
                try {
                    test.keys.execute("k", NOTHING);
                    test.keys.execute("k", NOTHING);
                } finally {
                    gate.open();
                }
            }
        },
        SUPERSEDED {
            @Override
            void reach(CallbackContractTest test) {
                Gate gate = new Gate();
                test.keys.execute("k", gate);
                gate.awaitEntered();
                test.listen(test.keys.coalesce("k", NOTHING));
                try {
                    test.keys.coalesce("k", NOTHING);
                } finally {
                    gate.open();
                }
            }
        },
        COALESCED {
            @Override
            void reach(CallbackContractTest test) {
                Gate gate = new Gate();
                test.keys.execute("k", gate);
                test.listen(test.keys.coalesce("k", NOTHING));
                gate.open();
            }
        },
        ASYNC_SUPPLIER {
            @Override
            void reach(CallbackContractTest test) {
                test.keys.submitAsync("k", () -> {
                    test.runCode();
                    return CompletableFuture.completedStage(1);
                });
            }
        },
        ASYNC_STAGE {
            @Override
            void reach(CallbackContractTest test) {
                CompletableFuture<Integer> stage = new CompletableFuture<>();
                test.listen(test.keys.submitAsync("k", () -> stage));
                stage.complete(1);
            }
        },
        ASYNC_LIMIT {
            @Override
            void reach(CallbackContractTest test) {
                CompletableFuture<Integer> stage = new CompletableFuture<>();
                test.listen(test.keys.at("k").submitAsync(() -> stage, Duration.ofMillis(5)));
            }
        },
        QUIESCE {
            @Override
            void reach(CallbackContractTest test) {
                Gate gate = new Gate();
                test.keys.execute("k", gate);
                gate.awaitEntered();
                test.listen(test.keys.at("k").quiesce());
                gate.open();
            }
        },
        KEY_CODE_OF_A_SUBMIT {
            @Override
            void reach(CallbackContractTest test) {
                test.keys.execute(test.new CodeKey(), NOTHING);
            }
        },
        KEY_CODE_OF_A_TIMER {
            @Override
            void reach(CallbackContractTest test) {
                test.armed.set(false);
                test.keys.at(test.new CodeKey()).schedule(NOTHING, 5, TimeUnit.MILLISECONDS);
                test.armed.set(true);
            }
        },
        KEY_IN_A_MESSAGE {
            @Override
            void reach(CallbackContractTest test) {
                Object key = new Object() {
                    @Override
                    public String toString() {
                        test.runCode();
                        return "a key";
                    }
                };
                Gate gate = new Gate();
                test.keys.execute(key, gate);
                try {
                    assertThat(test.keys.at(key).activity().toString()).contains("a key");
                } finally {
                    gate.open();
                }
            }
        },
        TIMER {
            @Override
            void reach(CallbackContractTest test) {
                test.spindle.schedule(test::runCode, 5, TimeUnit.MILLISECONDS);
            }
        },
        CONTEXT_CAPTURE,
        CONTEXT_RESTORE,
        CONTEXT_CLOSE,
        THREAD_FACTORY,
        FAILURE_HANDLER {
            @Override
            void reach(CallbackContractTest test) {
                test.keys.execute("k", () -> {
                    throw new IllegalStateException("on purpose");
                });
            }
        },
        TERMINATION {
            @Override
            void reach(CallbackContractTest test) {
                Strand strand = test.spindle.strand("s");
                test.listen(strand.terminated());
                strand.shutdown();
            }
        },
        TERMINATION_AFTER_A_QUIET_PERIOD {
            @Override
            void reach(CallbackContractTest test) {
                Strand strand = test.spindle
                        .strandBuilder("s")
                        .quietPeriod(Duration.ofMillis(1))
                        .build();
                test.listen(strand.terminated());
                strand.shutdown();
            }
        },
        STRAND_SHUTDOWN_NOW {
            @Override
            void reach(CallbackContractTest test) {
                Strand strand = test.spindle.strand("s");
                Gate gate = new Gate();
                strand.execute(gate);
                gate.awaitEntered();
                test.listen(strand.submit(() -> 1));
                try {
                    strand.shutdownNow();
                } finally {
                    gate.open();
                }
            }
        },
        EXECUTOR_SHUTDOWN_NOW {
            @Override
            void reach(CallbackContractTest test) {
                LogicalExecutor executor = test.spindle.executor("e", 1);
                Gate gate = new Gate();
                executor.execute(gate);
                gate.awaitEntered();
                test.listen(executor.submit(() -> 1));
                try {
                    executor.shutdownNow();
                } finally {
                    gate.open();
                }
            }
        };

        /** Makes the code under test run in this place, on this thread or soon on another. */
        void reach(CallbackContractTest test) {
            test.keys.execute("k", NOTHING);
        }
    }

    private void listen(CompletableFuture<?> future) {
        CompletableFuture<?> unused = future.whenComplete((value, failure) -> runCode());
    }

    @AfterEach
    void end() throws InterruptedException {
        spindle.shutdownNow();
        assertThat(spindle.awaitTermination(20, TimeUnit.SECONDS)).isTrue();
    }

    /** Reaches the place on a new thread, since some places run the code on the calling thread. */
    private FutureTask<@Nullable Void> reach(Place where, Runnable what) {
        code = what;
        place = where;
        FutureTask<@Nullable Void> reached = new FutureTask<>(() -> where.reach(this), null);
        new Thread(reached).start();
        return reached;
    }

    /** Every submit needs the first thread, and waits for its factory. SlowThreadsContractTest covers later threads. */
    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "THREAD_FACTORY")
    void u1_codeThatBlocks_holdsUpNobodyElse(Place where) throws Exception {
        CountDownLatch entered = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        FutureTask<@Nullable Void> reached = reach(where, () -> {
            entered.countDown();
            await(release);
        });
        await(entered);

        Strand other = spindle.strand("other");
        CountDownLatch beats = new CountDownLatch(3);
        spindle.scheduleAtFixedRate(beats::countDown, 1, 1, TimeUnit.MILLISECONDS);
        assertThat(result(keys.submit("another", () -> 1))).isEqualTo(1);
        assertThat(result(spindle.submit(() -> 2))).isEqualTo(2);
        assertThat(result(other.submit(() -> 3))).isEqualTo(3);
        await(beats);
        other.shutdown();
        assertThat(other.awaitTermination(10, TimeUnit.SECONDS)).isTrue();

        release.countDown();
        result(reached);
        assertThat(result(keys.submit("k", () -> 4))).isEqualTo(4);
        spindle.close();
    }

    @ParameterizedTest
    @EnumSource
    void u1_codeThatThrows_harmsNobody(Place where) throws Exception {
        CountDownLatch entered = new CountDownLatch(1);
        FutureTask<@Nullable Void> reached = reach(where, () -> {
            entered.countDown();
            throw new RejectedExecutionException("on purpose");
        });
        await(entered);
        try {
            result(reached);
        } catch (java.util.concurrent.CompletionException e) {
            assertThat(e.getCause()).hasMessage("on purpose"); // code that runs within the submit makes it fail
        }

        assertThat(result(keys.submit("k", () -> 1))).isEqualTo(1);
        assertThat(result(spindle.submit(() -> 2))).isEqualTo(2);
        spindle.close();
    }

    @ParameterizedTest
    @EnumSource
    void u1_codeThatCallsBackIn_isServed(Place where) throws Exception {
        AtomicInteger ran = new AtomicInteger();
        CountDownLatch timer = new CountDownLatch(1);
        CountDownLatch entered = new CountDownLatch(1);
        FutureTask<@Nullable Void> reached = reach(where, () -> {
            keys.execute("k", ran::incrementAndGet);
            spindle.execute(ran::incrementAndGet);
            spindle.schedule(timer::countDown, 1, TimeUnit.MILLISECONDS);
            Strand strand = spindle.strand("inner");
            strand.execute(ran::incrementAndGet);
            strand.shutdown();
            keys.at("none").cancelPending();
            entered.countDown();
        });
        await(entered);
        result(reached);
        await(timer);

        TestSupport.until(() -> ran.get() == 3);
        spindle.close();
    }
}
