// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.mutations;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The laboratory with a few faults that tests of one thread find at once. The whole list is run by hand. */
@Tag("deep")
class LaboratoryTest {
    private static final List<String> FAULTS = List.of(
            "lane-push-wakes-never",
            "chunk-taken-without-a-close",
            "run-queue-overwrites-the-oldest",
            "timers-earlier-wakes-no-thread",
            "token-shut-admits");

    @TempDir
    Path folder;

    private Laboratory laboratory;

    @BeforeEach
    void open() {
        laboratory = new Laboratory(Path.of("..", "..").toAbsolutePath().normalize(), folder);
    }

    @Test
    void run_faults_areKilledByTestsThatPassWithoutThem() throws Exception {
        List<Catcher> catchers = new ArrayList<>();
        for (Mutation mutation : MutationList.read(Path.of("mutations.txt"))) {
            if (FAULTS.contains(mutation.name())) {
                assertThat(laboratory.run(mutation)).as(mutation.name()).isEqualTo(Verdict.KILLED);
                catchers.add(mutation.catcher());
            }
        }

        assertThat(catchers).hasSameSizeAs(FAULTS);
        assertThat(laboratory.control(Catcher.Kind.TEST, catchers)).isEqualTo(Verdict.SURVIVED);
    }

    @Test
    void run_changeThatIsNoFault_survives() throws Exception {
        assertThat(laboratory.run(unchanged("internal.lane.ChunkTest"))).isEqualTo(Verdict.SURVIVED);
    }

    @Test
    void run_testThatIsNotThere_provesNothing() throws Exception {
        assertThat(laboratory.run(unchanged("internal.lane.NoSuchTest"))).isEqualTo(Verdict.NOTHING_RAN);
        assertThat(laboratory.run(unchanged("internal.lane.ChunkTest#noSuchMethod")))
                .isEqualTo(Verdict.NOTHING_RAN);
    }

    private static Mutation unchanged(String test) {
        List<String> line = List.of("closed = true;");
        Mutation.Place place = new Mutation.Place("Chunk-2", 2, 1);
        Catcher catcher = new Catcher(Catcher.Kind.TEST, test);
        return new Mutation("none", "nothing", "internal/lane/Chunk.java", place, line, catcher);
    }
}
