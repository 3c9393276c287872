// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle;

import static dev.spindle.TestSupport.result;
import static dev.spindle.TestSupport.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.spindle.TestSupport.Gate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** F4: submitters that wait at a bound are served in FIFO order, and a shutdown refuses them at once. */
@Timeout(60)
class WaitForRoomContractTest {
    private static final OnFull BLOCK = OnFull.block(Duration.ofMinutes(5));

    /** A bound of one place, on a spindle of one worker. */
    enum Bound {
        KEY {
            @Override
            Target target() {
                Spindle spindle = options().build();
                spindle.keyed("keys").setKeyCapacity(1, BLOCK);
                Keyed<String> keys = spindle.keyed("keys");
                return new Target(spindle, task -> keys.execute("key", task), spindle::shutdown, spindle::shutdownNow);
            }
        },
        SPINDLE {
            @Override
            Target target() {
                Spindle spindle = options().capacity(1, BLOCK).build();
                return new Target(spindle, spindle, spindle::shutdown, spindle::shutdownNow);
            }
        },
        KEY_IN_THE_SPINDLE {
            @Override
            Target target() {
                Spindle spindle = options().capacity(1, BLOCK).build();
                Keyed<String> keys = spindle.keyed("keys");
                return new Target(spindle, task -> keys.execute("key", task), spindle::shutdown, spindle::shutdownNow);
            }
        },
        STRAND {
            @Override
            Target target() {
                Spindle spindle = options().build();
                Strand strand = spindle.strandBuilder("db").capacity(1, BLOCK).build();
                return new Target(spindle, strand, strand::shutdown, strand::shutdownNow);
            }
        },
        STRAND_IN_THE_SPINDLE {
            @Override
            Target target() {
                Spindle spindle = options().capacity(1, BLOCK).build();
                Strand strand = spindle.strand("db");
                return new Target(spindle, strand, strand::shutdown, strand::shutdownNow);
            }
        },
        STRAND_WITH_ITS_OWN_THREAD {
            @Override
            Target target() {
                Strand strand = Strand.builder("db").capacity(1, BLOCK).build();
                return new Target(strand, strand, strand::shutdown, strand::shutdownNow);
            }
        },
        EXECUTOR {
            @Override
            Target target() {
                Spindle spindle = options().build();
                LogicalExecutor executor = spindle.executorBuilder("own")
                        .maxConcurrency(1)
                        .capacity(1, BLOCK)
                        .build();
                return new Target(spindle, executor, executor::shutdown, executor::shutdownNow);
            }
        },
        EXECUTOR_IN_THE_SPINDLE {
            @Override
            Target target() {
                Spindle spindle = options().capacity(1, BLOCK).build();
                LogicalExecutor executor = spindle.executor("own", 1);
                return new Target(spindle, executor, executor::shutdown, executor::shutdownNow);
            }
        };

        abstract Target target();

        static SpindleBuilder options() {
            return Spindles.options().name("waiting").coreThreads(1).maxThreads(1);
        }
    }

    /** An executor under test with its owner and its shutdowns. */
    record Target(AutoCloseable owner, Executor executor, Runnable shutdown, Runnable shutdownNow) {}

    private final List<AutoCloseable> owners = new ArrayList<>();
    private final List<Gate> gates = new ArrayList<>();

    @AfterEach
    void close() throws Exception {
        gates.forEach(Gate::open);
        for (AutoCloseable owner : owners) {
            owner.close();
        }
    }

    private Target target(Bound bound) {
        Target target = bound.target();
        owners.add(target.owner());
        return target;
    }

    private Gate occupy(Target target) {
        Gate gate = new Gate();
        gates.add(gate);
        target.executor().execute(gate);
        return gate.awaitEntered();
    }

    /** Starts a submit that finds no room, and returns when it is waiting. */
    private static FutureTask<@Nullable Throwable> submitter(Target target, Runnable task) {
        FutureTask<@Nullable Throwable> outcome =
                new FutureTask<>(() -> catchThrowable(() -> target.executor().execute(task)));
        Thread thread = new Thread(outcome);
        thread.start();
        until(() -> thread.getState() == Thread.State.TIMED_WAITING);
        return outcome;
    }

    @ParameterizedTest
    @EnumSource
    void f4_shutdownNowWhileSubmittersWait_refusesAllAtOnceAndRunsNone(Bound bound) throws Exception {
        refusesAtOnce(target(bound), true);
    }

    @ParameterizedTest
    @EnumSource
    void f4_shutdownWhileSubmittersWait_refusesAllAtOnceAndRunsNone(Bound bound) throws Exception {
        refusesAtOnce(target(bound), false);
    }

    private void refusesAtOnce(Target target, boolean now) throws Exception {
        Gate gate = occupy(target);
        AtomicInteger accepted = new AtomicInteger();
        target.executor().execute(() -> {});
        List<FutureTask<@Nullable Throwable>> submitters = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            submitters.add(submitter(target, accepted::incrementAndGet));
        }
        (now ? target.shutdownNow() : target.shutdown()).run();
        for (FutureTask<@Nullable Throwable> submitter : submitters) {
            assertThat(submitter.get(10, TimeUnit.SECONDS)) // the gate is closed, so no place came free by itself
                    .isInstanceOf(RejectedExecutionException.class)
                    .hasMessageMatching(".*(waiting|db).*\\((shut down|terminated)\\).*")
                    .hasMessageContaining("1 waiting tasks");
        }
        gate.open();
        owners.remove(0).close();
        assertThat(accepted).hasValue(0);
    }

    @ParameterizedTest
    @EnumSource
    void f4_shutdownNowReturned_whileSubmittersCome_acceptsNothingMore(Bound bound) throws Exception {
        for (int round = 0; round < 20; round++) {
            Target target = bound.target();
            Gate gate = new Gate();
            target.executor().execute(gate);
            gate.awaitEntered();
            target.executor().execute(() -> {});
            AtomicInteger late = new AtomicInteger();
            CompletableFuture<Boolean> over = new CompletableFuture<>();
            List<FutureTask<@Nullable Throwable>> submitters = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                submitters.add(new FutureTask<>(() ->
                        catchThrowable(() -> target.executor().execute(() -> {
                            if (over.isDone()) {
                                late.incrementAndGet();
                            }
                        }))));
            }
            submitters.forEach(submitter -> new Thread(submitter).start());
            target.shutdownNow().run();
            over.complete(true);
            gate.open();
            for (FutureTask<@Nullable Throwable> submitter : submitters) {
                Throwable refusal = submitter.get(20, TimeUnit.SECONDS);
                assertThat(refusal)
                        .satisfiesAnyOf(
                                r -> assertThat(r).isNull(),
                                r -> assertThat(r).isInstanceOf(RejectedExecutionException.class));
            }
            target.owner().close();
            assertThat(late).hasValue(0);
        }
    }

    @ParameterizedTest
    @EnumSource
    void f4_waitingSubmitter_isNotOvertakenByTheTaskThatMakesTheRoom(Bound bound) {
        Target target = target(bound);
        Gate gate = occupy(target);
        List<String> order = Collections.synchronizedList(new ArrayList<>());
        CompletableFuture<@Nullable Throwable> overtaking = new CompletableFuture<>();
        target.executor()
                .execute(
                        () -> { // returns its place as it starts, and could take it first
                            Runnable last = () -> order.add("late");
                            overtaking.complete(
                                    catchThrowable(() -> target.executor().execute(last)));
                        });
        FutureTask<@Nullable Throwable> first = submitter(target, () -> order.add("first"));
        gate.open();
        assertThat(result(first)).isNull();
        assertThat(result(overtaking)).isInstanceOf(RejectedExecutionException.class);
        until(() -> order.size() == 1);
        assertThat(order).containsExactly("first");
    }

    @ParameterizedTest
    @EnumSource
    void f4_waitingSubmitters_areServedInTheOrderInWhichTheyCame(Bound bound) {
        Target target = target(bound);
        occupy(target);
        IntStream.range(0, 11).forEach(i -> gates.add(new Gate()));
        target.executor().execute(gates.get(1));
        List<FutureTask<@Nullable Throwable>> submitters = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            submitters.add(submitter(target, gates.get(i + 2)));
        }
        for (int i = 0; i < 10; i++) {
            gates.get(i).open();
            gates.get(i + 1).awaitEntered(); // frees one place
            assertThat(result(submitters.get(i))).isNull();
            assertThat(submitters.subList(i + 1, 10)).noneMatch(FutureTask::isDone);
        }
    }
}
