// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.torture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProgramTextTest {
    private static final String SMALL = """
            # a comment
            program seed=4711
            pool core=2 max=4 keepAlive=10000 linger=1000 capacity=0 capacityPerKey=0 onFull=REJECT \
            keys=1 strands=1 own=0 exact=true threads=SLOW
            view concurrency=1 capacity=5 onFull=CALLER_RUNS
            producer rounds=1000
              LANE at=0
              PAUSE at=1 every=8
                LANE_FUTURE at=1 does=SPIN nanos=2000 then=CANCEL
              GAP nanos=5000
            stop where=LANE at=1 how=NOW percent=50 after=PAUSE
            stop where=POOL at=0 how=CLOSE percent=100
            """;

    @Test
    void programs_ofManySeeds_comeBackFromTheirText() {
        for (long seed = 0; seed < 300; seed++) {
            Program program = Generator.of(seed, 10_000);

            assertThat(ProgramText.read(ProgramText.write(program))).isEqualTo(program);
        }
    }

    @Test
    void text_isReadable() {
        assertThat("# a comment\n" + ProgramText.write(ProgramText.read(SMALL))).isEqualTo(SMALL);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "seed=4711           | seed=x           | line 2: seed=x is not an integer",
                "core=2              | core=many        | line 3: core=many is not an integer",
                "core=2 max=4        | core=2           | line 3: pool wants max=...",
                "rounds=1000         | rounds=5000000000| line 5: rounds=5000000000 is out of range",
                "LANE at=0           | LINE at=0        | line 6: 'LINE' is none of [PLAIN, ",
                "LANE at=0           | LANE at=0 every=0| line 6: a step needs at >= 0",
                "then=CANCEL         | then=FORGET      | line 8: 'FORGET' is none of [NOTHING, ",
                "GAP nanos=5000      | GAP then=AWAIT   | line 9: GAP gives nothing for then=AWAIT",
                "threads=SLOW        | threads=LATE     | line 3: 'LATE' is none of [SOUND, ",
                "after=PAUSE         | after=SLEEP      | line 10: 'SLEEP' is none of [NOTHING, ",
                "how=CLOSE           | how=GRACEFUL     | only a strand can have a quiet period   ",
                "onFull=REJECT       | onFull=BLOCK_LONG| a submitter that waits long at a bound must not",
                "how=CLOSE           | how=LATER        | line 11: 'LATER' is none of [CLOSE, ",
                "LANE at=0           | LANE at=2        | there are 2 of LANE, and no number 2",
                "where=LANE at=1     | where=LANE at=0  | a key cannot be shut down",
                "producer            | consumer         | line 5: 'consumer' was not expected here",
            })
    void wrongText_isRefusedWithItsLine(String part, String by, String message) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ProgramText.read(SMALL.replaceFirst(part, by)))
                .withMessageContaining(message);
    }

    @Test
    void emptyText_isRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ProgramText.read(""))
                .withMessage("a line that begins with 'program' was expected, not the end");
    }
}
