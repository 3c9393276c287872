// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

class AdaptiveSpinTest {
    private static final boolean FOUND = true;
    private static final long LONG = Long.MAX_VALUE;

    private final AtomicLong clock = new AtomicLong();
    private final AtomicInteger looks = new AtomicInteger();
    private final AdaptiveSpin spin = AdaptiveSpin.ofWorkers(2, clock::get, true);

    @Test
    void isWorthwhile_withoutExperience_isTrue() {
        assertThat(spin.isWorthwhile()).isTrue();
    }

    @Test
    void isWorthwhile_oneProcessor_isFalse() {
        assertThat(AdaptiveSpin.ofWorkers(1, clock::get, true).isWorthwhile()).isFalse();
    }

    @Test
    void note_searchesThatFindNothing_letTwiceAsManyOccasionsPassEachTime() {
        int[] passed = new int[6];
        for (int i = 0; i < passed.length; i++) {
            spin.note(!FOUND);
            passed[i] = occasionsPassed();
        }

        assertThat(passed).containsExactly(0, 2, 6, 14, 30, 62);
    }

    @Test
    void note_foundNothingForEver_stillTriesNowAndThen() {
        int passed = 0;
        for (int i = 0; i < 100; i++) {
            spin.note(!FOUND);
            passed = occasionsPassed();
        }

        assertThat(passed).isEqualTo((1 << 16) - 2);
    }

    @Test
    void note_oneSearchOfThreeFindsWork_keepsSearching() {
        for (int i = 0; i < 300; i++) {
            spin.note(i % 3 == 0);
            assertThat(occasionsPassed()).isLessThanOrEqualTo(2);
        }
    }

    @Test
    void note_foundAfterLongFailure_searchesSoonAgain() {
        for (int i = 0; i < 100; i++) {
            spin.note(!FOUND);
            occasionsPassed();
        }
        for (int i = 0; i < 8; i++) {
            spin.note(FOUND);
        }

        assertThat(occasionsPassed()).isZero();
        spin.note(!FOUND);
        assertThat(occasionsPassed()).isZero();
    }

    @Test
    void spin_foundAtLast_isTrue() {
        AtomicInteger asked = new AtomicInteger();

        boolean found = spin.spin(() -> asked.incrementAndGet() == 100);

        assertThat(found).isTrue();
        assertThat(asked).hasValue(100);
    }

    @Test
    void spin_notFound_endsAfterTheGivenTimeAndLearns() {
        spin.note(!FOUND);

        boolean found = spin.spin(() -> {
            clock.addAndGet(10);
            return false;
        });

        assertThat(found).isFalse();
        assertThat(clock.get()).isBetween(20_000L, 20_200L);
        assertThat(occasionsPassed()).isEqualTo(2);
    }

    @Test
    void spin_clockStandsStill_endsNevertheless() {
        assertThat(spin.spin(() -> false)).isFalse();
    }

    @Test
    void spin_neededElsewhere_endsAndLearnsNothing() {
        AtomicInteger asked = new AtomicInteger();

        assertThat(spin.spin(() -> false, () -> asked.incrementAndGet() == 3)).isFalse();

        spin.note(!FOUND);
        assertThat(occasionsPassed()).as("of a first failure").isZero();
    }

    @Test
    void spin_ofAStage_looksOnceInFiveMicroseconds() {
        AtomicLong time = new AtomicLong();
        AtomicInteger looks = new AtomicInteger();

        AdaptiveSpin.ofStage(2, () -> time.getAndAdd(100)).spin(() -> looks.incrementAndGet() == 0);

        assertThat(looks).hasValueBetween(3, 5);
    }

    @Test
    void await_doneAtLast_staysAwakeUntilThen() {
        waiters().await(() -> looks.incrementAndGet() >= 8, LONG);

        assertThat(looks).hasValueBetween(8, 10);
    }

    @Test
    void await_waitsThatTakeLong_givesUpStayingAwake() {
        AdaptiveSpin waiters = waiters();
        for (int i = 0; i < 1_000; i++) {
            waiters.await(this::never, LONG);
        }
        looks.set(0);

        waiters.await(this::never, LONG);

        assertThat(looks).as("the look before").hasValue(1);
    }

    @Test
    void await_clockThatStandsStill_ends() {
        AdaptiveSpin.ofWaiters(2, () -> 42).await(this::never, LONG);

        assertThat(looks).hasValueGreaterThan(100);
    }

    @Test
    void await_oneProcessor_doesNotStayAwake() {
        AdaptiveSpin.ofWaiters(1, System::nanoTime).await(this::never, LONG);

        assertThat(looks).hasValue(1);
    }

    @Test
    void await_limitThatIsShorterThanTheSpin_leavesItToTheCaller() {
        waiters().await(this::never, 1_000);

        assertThat(looks).hasValue(0);
    }

    @Test
    void await_asManyAsMayStayDoAlready_letsOthersSleep() {
        AdaptiveSpin waiters = waiters(); // one may spin
        AtomicInteger inner = new AtomicInteger();

        waiters.await(
                () -> {
                    if (looks.incrementAndGet() == 10) {
                        waiters.await(() -> inner.incrementAndGet() == 0, LONG);
                    }
                    return looks.get() > 20;
                },
                LONG);

        assertThat(inner).hasValue(1);
    }

    private static AdaptiveSpin waiters() {
        return AdaptiveSpin.ofWaiters(2, System::nanoTime);
    }

    private boolean never() {
        looks.incrementAndGet();
        return false;
    }

    @Test
    void yieldUntil_conditionThatBecomesTrue_endsThenAndReturnsTheTimeLeft() {
        BooleanSupplier thirdLook = () -> {
            clock.addAndGet(5);
            return looks.incrementAndGet() == 3;
        };

        long left = AdaptiveSpin.yieldUntil(thirdLook, 1_000, clock::get);

        assertThat(looks).hasValue(3);
        assertThat(left).isEqualTo(990);
    }

    @Test
    void yieldUntil_conditionThatStaysFalse_endsAfterTwentyYields() {
        long left = AdaptiveSpin.yieldUntil(() -> looks.incrementAndGet() < 0, LONG, clock::get);

        assertThat(looks).hasValue(20);
        assertThat(left).isEqualTo(LONG);
    }

    @Test
    void yieldUntil_timeThatIsUp_doesNotYield() {
        assertThat(AdaptiveSpin.yieldUntil(() -> looks.incrementAndGet() < 0, 0, clock::get))
                .isZero();
        assertThat(looks).hasValue(0);
    }

    @Test
    void yieldUntil_interruptedThread_doesNotYield() {
        Thread.currentThread().interrupt();
        long left = AdaptiveSpin.yieldUntil(() -> looks.incrementAndGet() < 0, LONG, clock::get);

        assertThat(Thread.interrupted()).isTrue();
        assertThat(left).isEqualTo(LONG);
        assertThat(looks).hasValueLessThanOrEqualTo(1);
    }

    private int occasionsPassed() {
        int passed = 0;
        while (!spin.isWorthwhile()) {
            passed++;
        }
        return passed;
    }
}
