// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.model;

import static dev.spindle.verify.model.Setting.pool;
import static dev.spindle.verify.model.Setting.timer;
import static dev.spindle.verify.model.Task.PLAIN;
import static dev.spindle.verify.model.Task.TURNS;
import static dev.spindle.verify.model.Task.blocks;
import static dev.spindle.verify.model.Task.nests;
import static dev.spindle.verify.model.Task.stalls;
import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.verify.model.Setting.Late;
import dev.spindle.verify.model.Setting.Search;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.condition.DisabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

@Tag("deep")
@DisabledForJreRange(min = JRE.JAVA_18, disabledReason = "the model is the same on every JDK: the oldest one visits it")
class WorkerSetModelTest {
    private static final int MOST = 10_000_000;

    /** One or two producers, up to three workers, up to four tasks; the smallest first. */
    static List<Setting> settings() {
        return List.of(
                pool(1, 1, PLAIN, PLAIN, PLAIN).producer(timer(1), 2).producer(timer(0)),
                pool(1, 1, PLAIN, PLAIN, PLAIN).producer(timer(0), 2).producer(timer(1)),
                pool(1, 2, stalls(1), PLAIN).producer(0).producer(1).expiring(1),
                pool(2, 2, PLAIN, TURNS).producer(0).producer(1),
                pool(2, 2, nests(1), PLAIN).producer(0).leaving(),
                pool(2, 2, nests(1), stalls(2), PLAIN).producer(0, 2).leaving(),
                pool(2, 2, nests(1), nests(2), PLAIN).producer(0).leaving(),
                pool(2, 2, TURNS, nests(2), PLAIN).producer(0, 1).leaving(),
                pool(2, 2, nests(2), stalls(2), PLAIN).producer(0).producer(1).leaving(),
                pool(1, 2, PLAIN, PLAIN).producer(0).producer(1).hastily().expiring(1),
                pool(1, 3, stalls(3), PLAIN, stalls(3), PLAIN).producer(0, 1, 2, 3),
                pool(1, 2, stalls(1), PLAIN).producer(0).producer(1).hastily(),
                pool(1, 2, blocks(1), PLAIN).producer(0).producer(1).hastily(),
                pool(2, 2, PLAIN, PLAIN, PLAIN).producer(0, 1).producer(2).searching(Search.SOMETIMES),
                pool(1, 1, PLAIN, PLAIN, PLAIN).producer(0, 1).producer(2).stopping(),
                pool(3, 3, PLAIN, PLAIN, PLAIN).producer(0, 1).producer(2).searching(Search.SOMETIMES),
                pool(1, 2, nests(1), blocks(2), PLAIN).producer(0).producer(2),
                pool(1, 2, blocks(1), nests(2), PLAIN).producer(0).producer(1),
                pool(1, 2, PLAIN, stalls(0), PLAIN).producer(2, 1, timer(0)).expiring(1),
                pool(1, 1, PLAIN, PLAIN).producer(timer(1)).producer(0).searching(Search.SPINS),
                pool(1, 1, PLAIN, PLAIN)
                        .producer(timer(1))
                        .producer(0)
                        .searching(Search.SPINS)
                        .stopping(),
                pool(1, 2, PLAIN, PLAIN).producer(0, 1).hastily().expiring(1).stopping(),
                pool(1, 2, PLAIN, PLAIN, PLAIN).producer(0, 1).producer(2),
                pool(1, 2, stalls(1), PLAIN, PLAIN).producer(0, 1).producer(2),
                pool(1, 3, PLAIN, PLAIN).producer(0).producer(1).hastily().expiring(2),
                pool(1, 2, PLAIN, stalls(0), PLAIN).producer(2, timer(0)).producer(1),
                pool(2, 2, PLAIN, PLAIN).producer(0).producer(1).stopping(),
                pool(1, 2, PLAIN, TURNS, stalls(1)).producer(1).producer(2, 0),
                pool(1, 2, PLAIN, stalls(0)).producer(timer(0)).producer(1).expiring(1),
                pool(2, 3, stalls(2), stalls(2), PLAIN).producer(0, 1).producer(2),
                pool(1, 2, blocks(1), PLAIN, PLAIN).producer(0, 1).producer(2),
                pool(1, 3, blocks(1, 2), nests(2), PLAIN).producer(0).producer(1),
                pool(1, 3, PLAIN, PLAIN, PLAIN).producer(0, 1).producer(2),
                pool(1, 2, nests(1), blocks(2), PLAIN).producer(0).producer(2).expiring(1),
                pool(2, 2, PLAIN, nests(2), nests(3), PLAIN)
                        .producer(timer(0), 1)
                        .leaving(),
                pool(1, 2, PLAIN, PLAIN, PLAIN, PLAIN).producer(timer(0), 1, 2, 3),
                pool(2, 2, PLAIN, PLAIN, PLAIN).producer(0, 1).producer(2).late(Late.FACTORY),
                pool(1, 2, PLAIN, stalls(0), PLAIN)
                        .producer(2, timer(0))
                        .producer(1)
                        .late(Late.FACTORY),
                pool(1, 2, blocks(1), PLAIN, PLAIN).producer(0, 1).producer(2).late(Late.FACTORY),
                pool(1, 2, blocks(1), PLAIN, PLAIN).producer(0, 1).producer(2).late(Late.CARRIER),
                pool(1, 3, blocks(1), PLAIN).producer(0).producer(1).late(Late.CARRIER),
                pool(1, 2, stalls(1), PLAIN).producer(0).producer(timer(1)).late(Late.CARRIER),
                pool(1, 2, PLAIN, PLAIN).producer(0, 1).late(Late.FACTORY).stopping());
    }

    /** The settings in which several tasks are in no queue while a worker takes them (ReadyQueue-6). */
    static List<Setting> batchSettings() {
        return List.of(
                pool(2, 2, stalls(1), PLAIN).producer(0, 1).batching(),
                pool(2, 2, stalls(2), PLAIN, PLAIN).producer(0, 1).producer(2).batching(),
                pool(1, 2, stalls(1), PLAIN, PLAIN).producer(0, 1, 2).batching(),
                pool(2, 2, stalls(1), PLAIN).producer(0, 1).batching().stopping());
    }

    /** The settings in which one worker may run alone (WorkerSet-11). */
    static List<Setting> soloSettings() {
        return List.of(
                pool(2, 2, PLAIN, PLAIN, PLAIN).producer(0, 1).producer(2).soloing(),
                pool(2, 2, stalls(2), PLAIN, PLAIN).producer(0, 1, 2).soloing(),
                pool(2, 2, nests(2), stalls(2), PLAIN).producer(0).producer(1).soloing(),
                pool(2, 2, blocks(2), PLAIN, PLAIN).producer(0, 1).producer(2).soloing(),
                pool(2, 2, PLAIN, PLAIN).producer(0, 1).soloing().stopping(),
                pool(2, 3, stalls(2), PLAIN, PLAIN).producer(0, 1, 2).soloing(),
                pool(3, 3, PLAIN, stalls(3), stalls(3), PLAIN)
                        .producer(0, 1, 2, 3)
                        .soloing());
    }

    /** Most faults show early in one of the settings. */
    @ParameterizedTest
    @MethodSource({"settings", "batchSettings", "soloSettings"})
    void firstStates_endWell(Setting setting) {
        Explorer.Result result = Explorer.explore(new WorkerSetModel(setting, Set.of()), MOST / 40);

        assertThat(result.fault()).as(result.text()).isNull();
    }

    @Tag("long")
    @ParameterizedTest
    @MethodSource({"settings", "batchSettings", "soloSettings"})
    void everyOrderOfSteps_endsWell(Setting setting) {
        Explorer.Result result = Explorer.explore(new WorkerSetModel(setting, Set.of()), MOST);

        assertThat(result.isComplete() && result.fault() == null)
                .as(result.text())
                .isTrue();
    }

    /** Visits the first states of all settings before more of any: most faults show early in one of them. */
    @Tag("long")
    @ParameterizedTest
    @EnumSource(Mutant.class)
    void plantedFault_isFound(Mutant mutant) {
        List<Setting> settings = Stream.of(settings(), batchSettings(), soloSettings())
                .flatMap(List::stream)
                .toList();

        boolean found = IntStream.of(MOST / 200, MOST / 20, MOST)
                .anyMatch(most -> settings.stream()
                        .map(setting -> Explorer.explore(new WorkerSetModel(setting, EnumSet.of(mutant)), most))
                        .anyMatch(result -> result.fault() != null));

        assertThat(found).isTrue();
    }
}
