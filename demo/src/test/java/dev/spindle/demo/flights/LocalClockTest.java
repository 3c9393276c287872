// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.demo.flights;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LocalClockTest {

    @ParameterizedTest
    @CsvSource({
        // scheduled, actual, delay; all in minutes of the day
        "600, 600, 0",
        "600, 557, -43",
        "600, 540, -60",
        "600, 539, 1379",
        "1430, 5, 15",
        "1439, 1440, 1",
        "10, 1435, -15",
        "15, 1440, -15",
        "0, 1440, 0"
    })
    void departureDelay_clockTimes_isOnTheDayThatFits(int scheduled, int actual, int delay) {
        assertThat(LocalClock.departureDelay(scheduled, actual)).isEqualTo(delay);
    }

    @ParameterizedTest
    @CsvSource({"600, 500, -100", "600, 480, -120", "600, 479, 1319", "1430, 20, 30"})
    void arrivalDelay_clockTimes_isOnTheDayThatFits(int scheduled, int actual, int delay) {
        assertThat(LocalClock.arrivalDelay(scheduled, actual)).isEqualTo(delay);
    }

    @ParameterizedTest
    @CsvSource({"600, 700, 100", "600, 600, 0", "1400, 20, 60", "1440, 240, 240", "1400, 1440, 40"})
    void flightTime_landingClockSmaller_isOnTheNextDay(int departed, int landed, int minutes) {
        assertThat(LocalClock.flightTime(departed, landed)).isEqualTo(minutes);
    }
}
