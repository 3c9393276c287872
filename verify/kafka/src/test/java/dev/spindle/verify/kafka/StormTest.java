// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.kafka.testkit.JournalReport;
import dev.spindle.kafka.testkit.JournalReport.Repeat;
import dev.spindle.kafka.testkit.KafkaBroker;
import dev.spindle.kafka.testkit.KafkaExtension;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Members join, leave, freeze and are killed while records flow, in three processes. */
@Timeout(1_200)
class StormTest {
    private static final int PROCESSES = 3;

    /** The largest share of records that orderly changes may repeat. */
    private static final double MOST_REPEATED = 0.001;

    /** How long a record can have been done, before its process is killed, and be repeated all the same. */
    private static final Duration LONGEST_UNCOMMITTED = Duration.ofMillis(3_500);

    @RegisterExtension
    static final KafkaExtension KAFKA = KafkaExtension.withOwnBroker(KafkaBroker.builder()
            .property("group.consumer.session.timeout.ms", Member.SESSION_MILLIS)
            .startLimit(Duration.ofMinutes(4)));

    private Path directory = Path.of("");

    @BeforeEach
    void newDirectory() throws IOException {
        directory = Storm.newDirectory();
    }

    private Storm storm(Assignment assignment, Member.Kind kind, long seed) {
        return new Storm(KAFKA.broker(), directory, assignment, kind, seed);
    }

    private JournalReport changes(Assignment assignment, int count) throws Exception {
        try (Storm storm = storm(assignment, Member.Kind.SPINDLE, count)) {
            storm.begin(PROCESSES);
            for (int i = 0; i < count; i++) {
                storm.change();
            }
            JournalReport report = storm.finish();
            storm.print(count + " changes", report);
            return report;
        }
    }

    private static void assertCorrect(JournalReport report) {
        assertThat(report.isCorrect()).as(report.toString()).isTrue();
        assertThat(report.records()).isPositive();
        assertThat(report.givenUp()).isZero();
    }

    private static void assertOrderly(JournalReport report) {
        assertCorrect(report);
        assertThat(report.repeatedShare()).as(report.toString()).isLessThanOrEqualTo(MOST_REPEATED);
    }

    @Test
    @Tag("deep")
    @Tag("once")
    void tenChanges_keepOrderAndLoseNothing() throws Exception {
        assertOrderly(changes(Assignment.COOPERATIVE, 10));
    }

    @ParameterizedTest
    @EnumSource(Assignment.class)
    @Tag("storm")
    void hundredChanges_keepOrderAndLoseNothing(Assignment assignment) throws Exception {
        assertOrderly(changes(assignment, 100));
    }

    /** Records come again only if they were done shortly before the kill: commits are made every 0.5 s. */
    @ParameterizedTest
    @EnumSource(Assignment.class)
    @Tag("storm")
    void tenKills_repeatWhatWasNotCommittedAlone(Assignment assignment) throws Exception {
        try (Storm storm = storm(assignment, Member.Kind.SPINDLE, 1)) {
            storm.begin(PROCESSES);
            for (int i = 0; i < 10; i++) {
                storm.kill();
            }
            JournalReport report = storm.finish();
            storm.print("10 kills", report);

            assertCorrect(report);
            Map<Path, Long> kills = storm.kills();
            List<Repeat> ofTheLiving = report.repeats().stream()
                    .filter(repeat -> !kills.containsKey(repeat.doneIn()))
                    .toList();
            assertThat(ofTheLiving.size()).isLessThanOrEqualTo((int) (MOST_REPEATED * report.records()));
            assertThat(report.repeats())
                    .filteredOn(repeat -> kills.containsKey(repeat.doneIn()))
                    .allSatisfy(repeat -> assertThat(Duration.ofNanos(
                                    Objects.requireNonNull(kills.get(repeat.doneIn())) - repeat.doneAt()))
                            .isLessThanOrEqualTo(LONGEST_UNCOMMITTED));
        }
    }

    /** What a process that was frozen past its session does afterwards is done by others already. */
    @ParameterizedTest
    @EnumSource(Assignment.class)
    @Tag("storm")
    void frozenProcess_startsNothingOfItsOldAssignment(Assignment assignment) throws Exception {
        try (Storm storm = storm(assignment, Member.Kind.SPINDLE, 2)) {
            storm.begin(PROCESSES);
            storm.freeze(6_000);
            JournalReport report = storm.finish();
            storm.print("a frozen process", report);

            assertCorrect(report);
        }
    }

    /** The check finds what a consumer without order does. */
    @Test
    @Tag("storm")
    void control_withoutOrder_isFoundOut() throws Exception {
        try (Storm storm = storm(Assignment.RANGE, Member.Kind.CONTROL, 3)) {
            storm.begin(PROCESSES);
            for (int i = 0; i < 10; i++) {
                storm.change();
            }
            JournalReport report = storm.finish();
            storm.print("control", report);

            assertThat(report.count(JournalReport.Kind.OVERLAP)).isPositive();
            assertThat(report.count(JournalReport.Kind.EARLY_COMMIT)).isPositive();
        }
    }
}
