// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.pool.size;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The limits that follow from equal samples, one every 5 ms, of a pool with two processors and at most 64 workers, in
 * which as many workers are at work as the limit allows.
 */
class SampleTableTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    # samples, ready, waiting (percent), computing, a step ended, limit, outcome
                    50  | true  | 0   | all  | true  | 2  | OPEN
                    1   | true  | 100 | all  | false | 4  | OPEN
                    5   | true  | 100 | all  | false | 64 | OPEN
                    3   | true  | 0   | all  | false | 2  | OPEN
                    4   | true  | 0   | all  | false | 3  | STUCK
                    5   | true  | 0   | all  | false | 3  | OPEN
                    4   | true  | 0   | none | false | 3  | STUCK
                    5   | true  | 0   | none | false | 5  | STUCK
                    99  | true  | 0   | all  | false | 3  | OPEN
                    100 | true  | 0   | all  | false | 4  | STUCK
                    200 | true  | 0   | all  | false | 6  | STUCK
                    11  | false | 0   | all  | true  | 2  | OPEN
                    12  | false | 0   | all  | true  | 2  | QUIET
                    """)
    void decide_equalSamples_setTheLimit(
            int samples,
            boolean ready,
            int percent,
            String computing,
            boolean ended,
            int expected,
            AwakeLimit.Outcome outcome) {
        AwakeLimit limit = new AwakeLimit(2, 64, 2);
        long now = Long.MAX_VALUE - StallDetector.LOOK_NANOS; // wraps around
        limit.begin(now, 0);
        AwakeLimit.Outcome last = null;
        for (int i = 0; i < samples; i++) {
            now += StallDetector.LOOK_NANOS;
            int working = limit.limit();
            int waiting = working * percent / 100;
            int computes = computing.equals("all") ? working - waiting : 0;
            last = limit.decide(new AwakeLimit.Sample(now, ready, working, 0, working, waiting, computes, ended));
        }

        assertThat(limit.limit()).isEqualTo(expected);
        assertThat(last).isEqualTo(outcome);
    }
}
