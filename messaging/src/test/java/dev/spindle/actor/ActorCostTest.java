// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.actor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.Spindle;
import dev.spindle.TestSupport;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What operations of actors cost, in what they grow: docs/costs.md. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ActorCostTest {
    /** What is shorter is not told from a small load that stays in the processor's caches. */
    private static final long LEAST_NANOS = 10_000_000;

    private static final int SMALL = 10_000;
    private static final int MOST_ROUNDS = 12;

    /** Does an operation {@code n} times with the actors of a spindle of one worker. */
    interface Load {
        void run(Actors actors, int n) throws Exception;
    }

    record Case(String name, Load load) {
        @Override
        public String toString() {
            return name;
        }
    }

    static Stream<Case> cases() {
        return Stream.of(
                new Case("offerToActor", ActorCostTest::offerToActor),
                new Case("sendAsyncToActor", ActorCostTest::sendAsyncToActor),
                new Case("ask", ActorCostTest::ask),
                new Case("startAndStop", ActorCostTest::startAndStop));
    }

    @ParameterizedTest
    @MethodSource("cases")
    void u2_tenTimesTheLoad_takesAtMostFifteenTimesAsLong(Case of) throws Exception {
        long small = Long.MAX_VALUE;
        long large = Long.MAX_VALUE;
        // The least of several rounds is the one without compilations and collections.
        for (int round = 0; round < MOST_ROUNDS && (round == 0 || large > 15 * small); round++) {
            small = Math.min(small, Math.max(LEAST_NANOS, time(of.load, SMALL)));
            large = Math.min(large, time(of.load, 10 * SMALL));
        }
        assertThat((double) large / small)
                .as("%s: %d in %,d ns, %d in %,d ns", of, SMALL, small, 10 * SMALL, large)
                .isLessThanOrEqualTo(15);
    }

    private static long time(Load load, int n) throws Exception {
        try (Spindle spindle = Spindle.builder().core(1).max(1).build()) {
            Actors actors = Actors.create(spindle);
            long begin = System.nanoTime();
            load.run(actors, n);
            actors.close();
            return System.nanoTime() - begin;
        }
    }

    private static void offerToActor(Actors actors, int n) {
        ActorRef<Integer> ref = actors.<Integer>actor("a", () -> (message, self) -> {})
                .capacity(2 * n)
                .start();
        for (int i = 0; i < n; i++) {
            assertThat(ref.offer(i)).isTrue();
        }
    }

    /** Messages that wait for room in the mailbox of an actor that stands still. */
    private static void sendAsyncToActor(Actors actors, int n) {
        CountDownLatch open = new CountDownLatch(1);
        ActorRef<Integer> ref = actors.<Integer>actor("a", () -> (message, self) -> TestSupport.await(open))
                .capacity(16)
                .start();
        List<CompletionStage<@Nullable Void>> sent = new ArrayList<>();
        for (int i = 0; i < n; i++) {
            sent.add(ref.sendAsync(i));
        }
        open.countDown();
        sent.forEach(TestSupport::resultOf);
    }

    /** Asks that are all open at once. */
    private static void ask(Actors actors, int n) {
        List<Reply<Integer>> open = new ArrayList<>();
        ActorRef<Reply<Integer>> ref = actors.<Reply<Integer>>actor("a", () -> (reply, self) -> {
                    open.add(reply);
                    if (open.size() == n) {
                        open.forEach(one -> one.success(1));
                    }
                })
                .capacity(2 * n)
                .start();
        List<CompletionStage<Integer>> answers = new ArrayList<>();
        for (int i = 0; i < n; i++) {
            answers.add(ref.ask(reply -> reply, Duration.ofHours(1)));
        }
        answers.forEach(TestSupport::resultOf);
    }

    private static void startAndStop(Actors actors, int n) {
        List<ActorRef<Integer>> refs = new ArrayList<>();
        for (int i = 0; i < n; i++) {
            refs.add(actors.start("a", () -> (message, self) -> {}));
        }
        refs.forEach(ActorRef::stop);
    }
}
