// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.ref.WeakReference;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class LifetimeTest {
    private final AtomicInteger released = new AtomicInteger();
    private final AtomicInteger told = new AtomicInteger();
    private final Lifetime spindle = lifetime(null);
    private final Lifetime strand = lifetime(spindle);

    private Lifetime lifetime(@Nullable Lifetime of) {
        return new Lifetime(of) {
            @Override
            protected void released() {
                released.incrementAndGet();
            }
        };
    }

    @Test
    void end_holdCameInBetween_fails() {
        long look = spindle.look();
        assertThat(spindle.hold()).isTrue();
        assertThat(spindle.end(spindle.look())).isFalse();
        spindle.release();
        assertThat(released).hasValue(1);
        assertThat(spindle.end(look)).as("a look before the hold").isFalse();
        assertThat(spindle.end(spindle.look())).isTrue();
        assertThat(spindle.hold()).isFalse();
        assertThat(spindle.end(look)).as("ended before").isTrue();
        assertThat(released).hasValue(1);
    }

    @Test
    void hold_ofAStrand_holdsTheSpindle() {
        assertThat(strand.hold()).isTrue();
        assertThat(spindle.isFree()).isFalse();
        strand.release();
        assertThat(spindle.isFree()).isTrue();
        assertThat(strand.end(strand.look())).isTrue();
        assertThat(strand.hold()).isFalse();
        assertThat(spindle.isFree()).isTrue();
    }

    @Test
    void hold_spindleHasEnded_fails() {
        assertThat(spindle.end(spindle.look())).isTrue();
        assertThat(strand.hold()).isFalse();
        assertThat(strand.isFree()).isTrue();
    }

    @Test
    void tell_ofSpindleAndStrand_runsActionsUntilForgotten() {
        Runnable action = told::incrementAndGet;
        strand.listen(action);
        spindle.shut(false);
        spindle.tell();
        assertThat(told).hasValue(1);
        assertThat(strand.isShut()).isTrue();
        assertThat(strand.isShutItself()).isFalse();
        strand.shut(true);
        strand.tell();
        assertThat(told).hasValue(2);
        assertThat(strand.isHalted()).isTrue();
        assertThat(spindle.isHalted()).isFalse();
        strand.forget(action);
        spindle.tell();
        strand.tell();
        assertThat(told).hasValue(2);
    }

    @Test
    void u3_partThatIsGone_isForgottenAndLeavesNothing() throws InterruptedException {
        for (Lifetime lifetime : List.of(spindle, strand)) {
            WeakReference<Runnable> listener = new WeakReference<>(lifetime.listenWeakly(new Part()));
            for (int i = 0; i < 500 && listener.get() != null; i++) {
                System.gc();
                Runnable next = lifetime.listenWeakly(new Part());
                lifetime.forget(next);
                new CountDownLatch(1).await(10, TimeUnit.MILLISECONDS); // lets the JVM enqueue references
            }
            assertThat(listener.get()).isNull();
        }
    }

    private static final class Part implements Lifetime.Part {
        @Override
        public void shut() {}
    }
}
