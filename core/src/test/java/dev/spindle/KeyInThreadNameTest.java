// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle;

import static dev.spindle.TestSupport.result;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** M5: the name of a worker's thread has the key of its task, if the builder says so. */
@Timeout(60)
class KeyInThreadNameTest {
    @RegisterExtension
    final Spindles spindles = new Spindles();

    private Spindle named() {
        return spindles.of(
                spindles.builder().name("named").coreThreads(1).maxThreads(1).keyInThreadName(true));
    }

    private static String here() {
        return Thread.currentThread().getName();
    }

    @Test
    void m5_threadOfAWorker_hasTheKeyWhileATaskRuns() {
        Spindle spindle = named();

        assertThat(result(spindle.keyed("orders").submit("a", KeyInThreadNameTest::here)))
                .isEqualTo("named-1 key orders/a");
        assertThat(result(spindle.strand("journal").submit(KeyInThreadNameTest::here)))
                .isEqualTo("named-1 strand journal");
        assertThat(result(spindle.submit(KeyInThreadNameTest::here))).isEqualTo("named-1");
        assertThat(result(spindle.executor("jdbc", 1).submit(KeyInThreadNameTest::here)))
                .isEqualTo("named-1");
        CompletableFuture<?> failed = spindle.keyed("orders").submit("b", () -> {
            throw new IllegalArgumentException("b");
        });
        assertThatThrownBy(failed::join).hasMessageContaining("b");
        assertThat(result(spindle.submit(KeyInThreadNameTest::here))).isEqualTo("named-1");
    }

    @Test
    void m5_keyWithControlCharacters_isHarmlessAndShort() {
        Spindle spindle = named();
        Keyed<Object> orders = spindle.keyed("orders");

        assertThat(result(orders.submit("x\n\u001b[2J\u202e", KeyInThreadNameTest::here)))
                .isEqualTo("named-1 key orders/x??[2J?");
        assertThat(result(orders.submit("k".repeat(1_000), KeyInThreadNameTest::here)))
                .isEqualTo("named-1 key orders/" + "k".repeat(53) + "...");
        Object silent = new Object() {
            @Override
            public String toString() {
                throw new IllegalStateException("toString");
            }
        };
        assertThat(result(orders.submit(silent, KeyInThreadNameTest::here)))
                .isEqualTo("named-1 a key whose toString threw java.lang.IllegalStateException");
    }

    @Test
    void m5_nameThatATaskGivesToItsThread_stays() {
        Spindle spindle = named();

        result(spindle.keyed("orders").submit("a", () -> Thread.currentThread().setName("mine")));

        assertThat(result(spindle.submit(KeyInThreadNameTest::here))).isEqualTo("mine");
    }

    @Test
    void m5_otherSpindles_keepTheNamesOfTheirThreads() {
        Spindle unused = named();
        Spindle other =
                spindles.of(spindles.builder().name("other").coreThreads(1).maxThreads(1));

        assertThat(result(other.keyed("orders").submit("a", KeyInThreadNameTest::here)))
                .isEqualTo("other-1");
    }
}
