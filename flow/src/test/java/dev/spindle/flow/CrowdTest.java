// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.flow;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Several clients of one backend, and backends that hang; in simulated time, so always the same. */
class CrowdTest {
    private static double millis(Supplier<Limiter> limiter, int clients, int places) {
        Crowd crowd = new Crowd(clients, limiter, places, Congestion.even(50), 0, 7);
        crowd.offer(places * 40.0, 540);
        return crowd.offer(places * 40.0, 60).meanMillis();
    }

    @ParameterizedTest
    @CsvSource({"1,20", "4,20", "10,20", "4,100", "10,100"})
    void b4_clientsOfOneBackend_letNoMoreQueueThanTwiceEnvoy(int clients, int places) {
        int[] seed = {1};
        double envoy = millis(() -> Peers.envoy(seed[0]++, 1_000), clients, places);

        assertThat(millis(() -> Limiter.gradient(1, 20, 1_000), clients, places))
                .isLessThan(2 * envoy);
    }

    @ParameterizedTest
    @ValueSource(longs = {2_000, 5_000, 10_000})
    void b4_backendThatHangs_getsFewCalls(long limitMillis) {
        for (Supplier<Limiter> limiter : java.util.List.<Supplier<Limiter>>of(
                () -> Limiter.aimd(1, 32, 256), () -> Limiter.gradient(1, 32, 256))) {
            Crowd crowd = new Crowd(1, limiter, 0, Congestion.even(50), limitMillis, 7);
            crowd.offer(100, 120);

            Crowd.Got got = crowd.offer(100, 300);
            assertThat(got.limit()).as("%s", got).isLessThan(1.5);
            assertThat(got.callsPerSecond()).as("%s", got).isLessThan(1.5 * 1_000 / limitMillis);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {20, 200})
    void b4_limitThatBeganFarTooHighBehindATimeLimit_findsGoodAnswers(int initial) {
        for (Supplier<Limiter> limiter : java.util.List.<Supplier<Limiter>>of(
                () -> Limiter.aimd(1, initial, 256), () -> Limiter.gradient(1, initial, 256))) {
            Crowd crowd = new Crowd(1, limiter, 20, Congestion.even(1_000), 4_000, 7);
            crowd.offer(100, 240);

            Crowd.Got got = crowd.offer(100, 300);
            assertThat(got.perSecond()).as("%s", got).isGreaterThan(initial == 20 ? 15 : 5);
        }
    }

    @Test
    void b4_limitThatWentDownByAHang_comesUpWhenItIsOver() {
        Limiter limiter = Limiter.aimd(1, 32, 256);
        long second = 1_000_000_000;
        for (int i = 1; i <= 20; i++) {
            limiter.ended(5L * i * second, 5 * second, 32, true);
        }
        assertThat(limiter.limit(100 * second)).isEqualTo(1);
        assertThat(limiter.limit(110 * second - 1)).isEqualTo(1); // a call may be out that shows nothing yet
        assertThat(limiter.limit(110 * second)).isEqualTo(2);
        assertThat(limiter.limit(150 * second)).isEqualTo(32);
    }
}
