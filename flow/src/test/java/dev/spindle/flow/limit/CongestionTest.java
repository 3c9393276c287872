// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.flow.limit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A learned limit in front of a backend with a capacity, in simulated time: every run is the same. */
class CongestionTest {
    private static final int MILLIS = 100;
    /** The calls that a place serves per second. */
    private static final int PER_PLACE = 1_000 / MILLIS;

    static Stream<Arguments> backends() {
        return Stream.of(20, 100, 500)
                .flatMap(places -> Stream.of(
                        Arguments.of(places, "even", Congestion.even(MILLIS)),
                        Arguments.of(places, "uneven", Congestion.uneven(MILLIS))));
    }

    @ParameterizedTest(name = "{0} places, {1}")
    @MethodSource("backends")
    void b4_gradientTwiceTheCapacity_servesNearlyAllOfItAndLetsFewQueue(
            int places, String times, Congestion.Service service) {
        Congestion congestion = new Congestion(Limiter.gradient(10, 50, 2_000), places, service);
        int capacity = places * PER_PLACE;
        double calm = congestion.offer(capacity / 2.0, 10).p99Millis();
        congestion.offer(capacity * 2.0, 5);

        for (int minute = 0; minute < 2; minute++) {
            Congestion.Got got = congestion.offer(capacity * 2.0, 60);
            assertThat(got.perSecond()).as("%s", got).isGreaterThan(0.92 * capacity);
            assertThat(got.p99Millis()).as("%s, calm %s", got, calm).isLessThan(Math.max(1.6 * calm, calm + MILLIS));
        }
    }

    @ParameterizedTest(name = "{0} places, {1}")
    @MethodSource("backends")
    void b4_gradientCapacityChanges_findsTheNewOne(int places, String times, Congestion.Service service) {
        Congestion congestion = new Congestion(Limiter.gradient(2, 50, 2_000), places, service);
        int capacity = places * PER_PLACE;
        congestion.offer(capacity * 2.0, 10);
        double before = congestion.offer(capacity * 2.0, 10).p99Millis();

        congestion.becomes(places / 4, service);
        congestion.offer(capacity / 2.0, 20);
        Congestion.Got less = congestion.offer(capacity / 2.0, 20);
        assertThat(less.perSecond()).as("%s", less).isGreaterThan(0.85 * capacity / 4);
        assertThat(less.p99Millis()).as("%s, before %s", less, before).isLessThan(2.5 * before);

        congestion.becomes(places, service);
        congestion.offer(capacity * 2.0, 20);
        Congestion.Got back = congestion.offer(capacity * 2.0, 20);
        assertThat(back.perSecond()).as("%s", back).isGreaterThan(0.9 * capacity);
        assertThat(back.p99Millis()).as("%s, before %s", back, before).isLessThan(1.5 * before);
    }

    @ParameterizedTest(name = "{0} places, {1}")
    @MethodSource("backends")
    void b4_gradientCallsBecomeSlowerForGood_learnsThatTheyAre(int places, String times, Congestion.Service service) {
        Congestion congestion = new Congestion(Limiter.gradient(10, 50, 2_000), places, service);
        int capacity = places * PER_PLACE;
        congestion.offer(capacity * 2.0, 10);

        congestion.becomes(places, random -> 3 * service.nanos(random));
        congestion.offer(capacity * 2.0 / 3, 60);

        Congestion.Got slower = congestion.offer(capacity * 2.0 / 3, 20);
        assertThat(slower.perSecond()).as("%s", slower).isGreaterThan(0.9 * capacity / 3);
    }

    @ParameterizedTest(name = "{0} places, {1}")
    @MethodSource("backends")
    void b4_gradientBeganFarTooHigh_comesDown(int places, String times, Congestion.Service service) {
        Congestion congestion = new Congestion(Limiter.gradient(1, 10 * places, 20 * places), places, service);
        int capacity = places * PER_PLACE;
        congestion.offer(capacity * 2.0, 30);

        Congestion.Got got = congestion.offer(capacity * 2.0, 20);
        assertThat(got.limit()).as("%s", got).isLessThan(3 * places);
        assertThat(got.perSecond()).as("%s", got).isGreaterThan(0.9 * capacity);
    }
}
