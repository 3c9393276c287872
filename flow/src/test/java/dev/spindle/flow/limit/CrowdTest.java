// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.flow.limit;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Several clients of one backend, and backends that hang, in simulated time: every run is the same. */
class CrowdTest {
    /** Returns the mean time of calls in the minute before each of {@code minutes}. */
    private static List<Double> millis(
            Supplier<Limiter> limiter, int clients, int places, Congestion.Service service, int... minutes) {
        Crowd crowd = new Crowd(clients, limiter, places, service, 0, 7);
        List<Double> all = new ArrayList<>();
        int now = 0;
        for (int minute : minutes) {
            crowd.offer(places * 40.0, 60 * (minute - now - 1));
            all.add(crowd.offer(places * 40.0, 60).meanMillis());
            now = minute;
        }
        return all;
    }

    @ParameterizedTest
    @CsvSource({"1,20,20", "2,20,20", "4,20,20", "10,20,60", "4,100,20", "10,100,20"})
    void b4_clientsOfOneBackend_letNoMoreQueueThanTwiceEnvoy(int clients, int places, int latest) {
        int[] seed = {1};
        Congestion.Service service = Congestion.even(50);
        double envoy = millis(() -> Peers.envoy(seed[0]++, 1_000), clients, places, service, 10)
                .get(0);

        assertThat(millis(() -> Limiter.gradient(1, 20, 1_000), clients, places, service, 10, 20, latest + 1))
                .allSatisfy(millis -> assertThat(millis).isLessThan(Math.min(2 * envoy, 130)));
    }

    @Test
    void b4_clientsThatBeginOneAfterAnother_letNoMoreQueueThanTwiceEnvoy() {
        int[] seed = {1};
        Congestion.Service service = Congestion.even(50);
        double envoy =
                millis(() -> Peers.envoy(seed[0]++, 1_000), 10, 20, service, 10).get(0);
        int[] number = {0};
        Supplier<Limiter> gradient = () -> new Later(Limiter.gradient(1, 20, 1_000), number[0]++ * 7_000_000_000L);

        assertThat(millis(gradient, 10, 20, service, 10, 20, 30))
                .allSatisfy(millis -> assertThat(millis).isLessThan(Math.min(2 * envoy, 130)));
    }

    @Test
    void b4_clientsOfOneBackendWithUnevenCalls_letNoMoreQueueThanTwiceEnvoy() {
        int[] seed = {1};
        Congestion.Service service = Congestion.uneven(50);
        double envoy =
                millis(() -> Peers.envoy(seed[0]++, 1_000), 10, 20, service, 10).get(0);

        assertThat(millis(() -> Limiter.gradient(1, 20, 1_000), 10, 20, service, 10, 20, 30))
                .allSatisfy(millis -> assertThat(millis).isLessThan(2 * envoy));
    }

    /** The limiter of a client that begins to call at {@code begin}. */
    private record Later(Limiter limiter, long begin) implements Limiter {
        @Override
        public int maxConcurrency(long nanoTime) {
            return nanoTime < begin ? 0 : limiter.maxConcurrency(nanoTime);
        }

        @Override
        public void ended(Sample sample) {
            limiter.ended(sample);
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {2_000, 5_000, 10_000})
    void b4_backendThatHangs_getsFewCalls(long limitMillis) {
        for (Supplier<Limiter> limiter :
                List.<Supplier<Limiter>>of(() -> Limiter.aimd(1, 32, 256), () -> Limiter.gradient(1, 32, 256))) {
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
        Supplier<Limiter> aimd = () -> Limiter.aimd(1, initial, 256);
        for (Supplier<Limiter> limiter : List.of(aimd, () -> Limiter.gradient(1, initial, 256))) {
            Crowd crowd = new Crowd(1, limiter, 20, Congestion.even(1_000), 4_000, 7);
            crowd.offer(100, 240);

            Crowd.Got got = crowd.offer(100, 300);
            assertThat(got.perSecond()).as("%s", got).isGreaterThan(limiter == aimd ? 19.5 : 17.5);
        }
    }

    @Test
    void b4_limitThatWentDownByAHang_comesUpWhenItIsOver() {
        Limiter limiter = Limiter.aimd(1, 32, 256);
        long second = 1_000_000_000;
        for (int i = 1; i <= 20; i++) {
            limiter.ended(new Limiter.Sample(5L * i * second, Duration.ofSeconds(5), 32, true));
        }
        assertThat(limiter.maxConcurrency(100 * second)).isEqualTo(1);
        assertThat(limiter.maxConcurrency(110 * second - 1)).isEqualTo(1); // a call under way may still show overload
        assertThat(limiter.maxConcurrency(110 * second)).isEqualTo(2);
        assertThat(limiter.maxConcurrency(150 * second)).isEqualTo(32);
    }
}
