// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle;

import static dev.spindle.TestSupport.await;
import static dev.spindle.TestSupport.result;
import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.TestSupport.Gate;
import dev.spindle.internal.TimeLimit;
import dev.spindle.internal.TimeLimits;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** T7: a worker that blocks in user code other than a task is replaced as one that blocks in a task is. */
@Timeout(120)
@SuppressWarnings({"FutureReturnValueIgnored", "UnnecessaryLambda"}) // the outcomes are checked by other means
class BlockingCodeContractTest {
    private static final int MANY = 10;
    private static final int MANY_THAT_SPIN = 5; // each doubling takes another half second
    private static final Duration SHORT = Duration.ofMillis(1);
    private static final Runnable NOTHING = () -> {};

    private volatile CountDownLatch entered = new CountDownLatch(MANY);
    private final CountDownLatch release = new CountDownLatch(1);
    private final Spindle spindle = Spindles.options()
            .coreThreads(2)
            .maxThreads(64)
            .taskDecorator(new BlockingHook())
            .onFailure((activity, failure) -> blockIn(Place.FAILURE_HANDLER))
            .build();
    private final Keyed<Object> keys = spindle.keyed("keys");
    private volatile @Nullable Place place;

    private volatile boolean spins;

    private void block() {
        entered.countDown();
        if (spins) {
            while (entered.getCount() > 0 && release.getCount() > 0) {
                Thread.onSpinWait();
            }
        } else {
            await(release);
        }
    }

    private void blockIn(Place where) {
        if (place == where && release.getCount() > 0 && entered.getCount() > 0) {
            block();
        }
    }

    private void listen(CompletableFuture<?> future) {
        CompletableFuture<?> unused = future.whenComplete((value, failure) -> block());
    }

    private final class BlockingHook implements TestDecorator {
        @Override
        public @Nullable Object capture() {
            return null;
        }

        @Override
        public Runnable restore(@Nullable Object captured) {
            blockIn(Place.CONTEXT_RESTORE);
            return () -> blockIn(Place.CONTEXT_CLOSE);
        }
    }

    /** A key whose methods block when a worker calls them. */
    private final class CodeKey {
        private final Thread submitter = Thread.currentThread();
        private final int number;

        CodeKey(int number) {
            this.number = number;
        }

        @Override
        public int hashCode() {
            if (Thread.currentThread() != submitter && release.getCount() > 0) {
                block();
            }
            return number * 1_000_003;
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof CodeKey key && key.number == number;
        }
    }

    enum Place {
        TASK {
            @Override
            void reach(BlockingCodeContractTest test, int i) {
                test.keys.execute("k" + i, test::block);
            }
        },
        TIME_LIMIT {
            @Override
            void reach(BlockingCodeContractTest test, int i) {
                TimeLimit unused = TimeLimits.set(test.spindle, SHORT, test::block);
            }
        },
        TIMER {
            @Override
            void reach(BlockingCodeContractTest test, int i) {
                test.spindle.schedule(test::block, 1, TimeUnit.MILLISECONDS);
            }
        },
        KEY_CODE_OF_A_TIMER {
            @Override
            void reach(BlockingCodeContractTest test, int i) {
                test.keys.at(test.new CodeKey(i)).schedule(NOTHING, SHORT.toNanos(), TimeUnit.NANOSECONDS);
            }
        },
        FUTURE {
            @Override
            void reach(BlockingCodeContractTest test, int i) {
                Gate gate = new Gate();
                test.keys.execute("k" + i, gate);
                test.listen(test.keys.submit("k" + i, () -> 1));
                gate.open();
            }
        },
        ASYNC_SUPPLIER {
            @Override
            void reach(BlockingCodeContractTest test, int i) {
                test.keys.submitAsync("k" + i, () -> {
                    test.block();
                    return CompletableFuture.completedStage(1);
                });
            }
        },
        ASYNC_LIMIT {
            @Override
            void reach(BlockingCodeContractTest test, int i) {
                test.listen(test.keys.at("k" + i).submitAsync(CompletableFuture::new, SHORT));
            }
        },
        COALESCED {
            @Override
            void reach(BlockingCodeContractTest test, int i) {
                Gate gate = new Gate();
                test.keys.execute("k" + i, gate);
                test.listen(test.keys.coalesce("k" + i, NOTHING));
                gate.open();
            }
        },
        QUIESCE {
            @Override
            void reach(BlockingCodeContractTest test, int i) {
                Gate gate = new Gate();
                test.keys.execute("k" + i, gate);
                gate.awaitEntered();
                test.listen(test.keys.at("k" + i).quiesce());
                gate.open();
            }
        },
        CONTEXT_RESTORE,
        CONTEXT_CLOSE,
        FAILURE_HANDLER {
            @Override
            void reach(BlockingCodeContractTest test, int i) {
                test.keys.execute("k" + i, () -> {
                    throw new IllegalStateException("on purpose");
                });
            }
        },
        TERMINATION {
            @Override
            void reach(BlockingCodeContractTest test, int i) {
                Strand strand =
                        test.spindle.strandBuilder("s" + i).quietPeriod(SHORT).build();
                test.listen(strand.terminated());
                strand.shutdown();
            }
        };

        /** Makes the blocking code run in this place. */
        void reach(BlockingCodeContractTest test, int i) {
            test.keys.execute("k" + i, NOTHING);
        }
    }

    @AfterEach
    void end() throws InterruptedException {
        release.countDown();
        spindle.shutdownNow();
        assertThat(spindle.awaitTermination(20, TimeUnit.SECONDS)).isTrue();
    }

    @ParameterizedTest
    @EnumSource
    void t7_manyThatBlock_allAreReplaced(Place where) {
        place = where;
        for (int i = 0; i < MANY; i++) {
            where.reach(this, i);
        }
        await(entered);
        othersGoOn();
    }

    /** Each piece of code spins until all of them run. */
    @DisabledIfSystemProperty(
            named = "spindle.virtual",
            matches = "true",
            disabledReason = "a task that spins keeps its carrier, see docs/virtual-threads.md")
    @ParameterizedTest
    @EnumSource
    void t7_manyThatSpin_allEnd(Place where) {
        place = where;
        spins = true;
        entered = new CountDownLatch(MANY_THAT_SPIN);
        for (int i = 0; i < MANY_THAT_SPIN; i++) {
            where.reach(this, i);
        }
        await(entered);
        othersGoOn();
    }

    private void othersGoOn() {
        CountDownLatch beats = new CountDownLatch(3);
        spindle.scheduleAtFixedRate(beats::countDown, 1, 1, TimeUnit.MILLISECONDS);
        assertThat(result(keys.submit("another", () -> 1))).isEqualTo(1);
        assertThat(result(spindle.submit(() -> 2))).isEqualTo(2);
        assertThat(result(spindle.strand("other").submit(() -> 3))).isEqualTo(3);
        await(beats);
    }
}
