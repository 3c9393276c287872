// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class CrewModelTest {
    private static final int MOST = 20_000_000;

    private static int[] submits(int... tasks) {
        return tasks;
    }

    /** Two producers, up to three workers, three tasks. */
    private static List<Setting> settings() {
        return List.of(
                new Setting(1, 1, -1, true, List.of(Task.PLAIN, Task.PLAIN, Task.PLAIN), submits(0, 1), submits(2)),
                new Setting(2, 2, -1, true, List.of(Task.PLAIN, Task.PLAIN, Task.PLAIN), submits(0, 1), submits(2)),
                new Setting(3, 3, -1, false, List.of(Task.PLAIN, Task.PLAIN, Task.PLAIN), submits(0, 1), submits(2)),
                new Setting(1, 2, -1, true, List.of(Task.blocks(1), Task.PLAIN, Task.PLAIN), submits(0, 1), submits(2)),
                new Setting(1, 2, -1, true, List.of(Task.stalls(1), Task.PLAIN, Task.PLAIN), submits(0, 1), submits(2)),
                new Setting(2, 3, -1, false, List.of(Task.stalls(2), Task.stalls(2), Task.PLAIN), submits(0, 1), submits(2)),
                new Setting(1, 2, -1, true, List.of(Task.nests(1), Task.blocks(2), Task.PLAIN), submits(0), submits(2)),
                new Setting(1, 3, 2, true, List.of(Task.nests(1), Task.PLAIN, Task.PLAIN), submits(0)),
                new Setting(2, 2, 2, false, List.of(Task.stalls(2), Task.PLAIN, Task.PLAIN), submits(0), submits(1)));
    }

    @ParameterizedTest
    @MethodSource("settings")
    void everyOrderOfSteps_endsWell(Setting setting) {
        Explorer.Result result = Explorer.explore(new CrewModel(setting, Set.of()), MOST);

        assertThat(result.fault()).as(result.text()).isNull();
    }

    @ParameterizedTest
    @EnumSource(Mutant.class)
    void plantedFault_isFound(Mutant mutant) {
        assertThat(settings())
                .anySatisfy(setting -> assertThat(Explorer.explore(new CrewModel(setting, EnumSet.of(mutant)), MOST)
                                .fault())
                        .isNotNull());
    }
}
