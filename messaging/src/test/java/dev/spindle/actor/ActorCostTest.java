// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.actor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.Cost;
import dev.spindle.CpuTime;
import dev.spindle.Spindle;
import dev.spindle.TestSupport;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The growth of the costs of operations of actors: docs/costs.md. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@SuppressWarnings("FutureReturnValueIgnored") // the tests see the ends by other means
class ActorCostTest {
    /** Performs an operation {@code n} times with the actors of a spindle of one worker. */
    interface Load {
        void run(Actors actors, int n) throws Exception;
    }

    static Stream<Cost> cases() {
        return Stream.of(
                cost("offerToActor", ActorCostTest::offerToActor),
                cost("sendAsyncToActor", ActorCostTest::sendAsyncToActor),
                cost("ask", ActorCostTest::ask),
                cost("startAndStop", ActorCostTest::startAndStop));
    }

    @ParameterizedTest
    @MethodSource("cases")
    void u2_tenTimesTheLoad_takesAtMostFifteenTimesAsLong(Cost of) throws Exception {
        of.check();
    }

    private static Cost cost(String name, Load load) {
        return new Cost(name, n -> {
            try (Spindle spindle =
                    Spindle.builder().coreThreads(1).maxThreads(1).build()) {
                Actors actors = Actors.create(spindle);
                CpuTime cpu = CpuTime.start();
                load.run(actors, n);
                actors.close();
                return cpu.nanos();
            }
        });
    }

    private static void offerToActor(Actors actors, int n) {
        ActorRef<Integer> ref = actors.<Integer>actorBuilder("a", () -> (message, self) -> {})
                .capacity(2 * n)
                .build();
        for (int i = 0; i < n; i++) {
            assertThat(ref.offer(i)).isTrue();
        }
    }

    /** Messages that wait for room in the mailbox of a blocked actor. */
    private static void sendAsyncToActor(Actors actors, int n) {
        CountDownLatch open = new CountDownLatch(1);
        ActorRef<Integer> ref = actors.<Integer>actorBuilder("a", () -> (message, self) -> TestSupport.await(open))
                .capacity(16)
                .build();
        List<CompletionStage<@Nullable Void>> sent = new ArrayList<>();
        for (int i = 0; i < n; i++) {
            sent.add(ref.sendAsync(i));
        }
        open.countDown();
        sent.forEach(TestSupport::resultOf);
    }

    /** Asks that are all open at the same time. */
    private static void ask(Actors actors, int n) {
        List<CompletableFuture<Integer>> open = new ArrayList<>();
        ActorRef<CompletableFuture<Integer>> ref = actors.<CompletableFuture<Integer>>actorBuilder(
                        "a", () -> (reply, self) -> {
                            open.add(reply);
                            if (open.size() == n) {
                                open.forEach(one -> one.complete(1));
                            }
                        })
                .capacity(2 * n)
                .build();
        List<CompletionStage<Integer>> answers = new ArrayList<>();
        for (int i = 0; i < n; i++) {
            answers.add(ref.ask(reply -> reply, Duration.ofHours(1)));
        }
        answers.forEach(TestSupport::resultOf);
    }

    private static void startAndStop(Actors actors, int n) {
        List<ActorRef<Integer>> refs = new ArrayList<>();
        for (int i = 0; i < n; i++) {
            refs.add(actors.actor("a", () -> (message, self) -> {}));
        }
        refs.forEach(ActorRef::drain);
    }
}
