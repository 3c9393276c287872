// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.Spindle;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class CallersSimulationTest {
    private final HandPool.Maker maker = new HandPool.Maker();

    private HandPool pool(Spindle spindle) {
        assertThat(spindle.isShutdown()).isFalse();
        return maker.made();
    }

    private Spindle spindle() {
        return Spindle.builder().threadFactory(maker).build();
    }

    @Test
    void get_severalThatAreOpen_isTheLast() {
        Pool first = pool(spindle());
        Pool second = pool(spindle());
        CallersSimulation.add(first);
        CallersSimulation.add(second);
        assertThat(CallersSimulation.get()).isSameAs(second);

        CallersSimulation.remove(second);
        assertThat(CallersSimulation.get()).isSameAs(first);
        CallersSimulation.remove(first);
        assertThat(CallersSimulation.get()).isNull();
    }

    @Test
    void get_lastHasTerminated_isTheOneBefore() {
        Pool second = pool(spindle());
        Pool first = pool(spindle());
        CallersSimulation.add(first);
        CallersSimulation.add(second);
        Lifetime lifetime = second.lifetime();
        assertThat(lifetime.end(lifetime.look())).isTrue();

        assertThat(CallersSimulation.get()).isSameAs(first);
        CallersSimulation.remove(first);
    }

    @Test
    void failureSeen_withoutASimulationAndWithOne_isAccepted() {
        CompletableFuture<?> failed = CompletableFuture.failedFuture(new IllegalStateException());
        CallersSimulation.failureSeen(failed);
        Pool pool = pool(spindle());
        CallersSimulation.add(pool);
        CallersSimulation.failureSeen(failed);
        CallersSimulation.remove(pool);

        assertThat(CallersSimulation.get()).isNull();
    }

    @Test
    void get_onAnotherThread_isNull() {
        Pool pool = pool(spindle());
        CallersSimulation.add(pool);
        CompletableFuture<Boolean> none = CompletableFuture.supplyAsync(() -> CallersSimulation.get() == null);

        assertThat(none.join()).isTrue();
        CallersSimulation.remove(pool);
    }
}
