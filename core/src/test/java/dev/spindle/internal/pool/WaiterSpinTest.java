// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.pool;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class WaiterSpinTest {
    private static final long LONG = Long.MAX_VALUE;

    private final AtomicInteger looks = new AtomicInteger();
    private int doneAtLook = Integer.MAX_VALUE;

    private final CompletableFuture<Void> future = new CompletableFuture<>() {
        @Override
        public boolean isDone() {
            return looks.incrementAndGet() >= doneAtLook;
        }
    };

    @Test
    void await_futureThatCompletes_staysAwakeUntilThen() {
        doneAtLook = 8;

        new WaiterSpin(2, System::nanoTime).await(future::isDone, LONG);

        assertThat(looks).hasValueBetween(8, 10);
    }

    @Test
    void await_futuresThatTakeLong_givesUpStayingAwake() {
        WaiterSpin patience = new WaiterSpin(2, System::nanoTime);
        for (int i = 0; i < 1_000; i++) {
            patience.await(future::isDone, LONG);
        }
        looks.set(0);

        patience.await(future::isDone, LONG);

        assertThat(looks).as("the look before").hasValue(1);
    }

    @Test
    void await_clockThatStandsStill_ends() {
        new WaiterSpin(2, () -> 42).await(future::isDone, LONG);

        assertThat(looks).hasValueGreaterThan(100);
    }

    @Test
    void await_oneProcessor_doesNotStayAwake() {
        new WaiterSpin(1, System::nanoTime).await(future::isDone, LONG);

        assertThat(looks).hasValue(1);
    }

    @Test
    void await_limitThatIsShorterThanTheStay_leavesItToTheCaller() {
        new WaiterSpin(2, System::nanoTime).await(future::isDone, 1_000);

        assertThat(looks).hasValue(0);
    }

    @Test
    void await_asManyAsMayStayDoAlready_letsOthersSleep() {
        WaiterSpin patience = new WaiterSpin(2, System::nanoTime); // one may
        AtomicInteger inner = new AtomicInteger();
        CompletableFuture<Void> other = new CompletableFuture<>() {
            @Override
            public boolean isDone() {
                inner.incrementAndGet();
                return false;
            }
        };
        CompletableFuture<Void> asksInTheMidst = new CompletableFuture<>() {
            @Override
            public boolean isDone() {
                if (looks.incrementAndGet() == 10) {
                    patience.await(other::isDone, LONG);
                }
                return looks.get() > 20;
            }
        };

        patience.await(asksInTheMidst::isDone, LONG);

        assertThat(inner).hasValue(1);
    }
}
