// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.kafka.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.spindle.kafka.testkit.JournalLine.Position;
import dev.spindle.kafka.testkit.JournalReport.Kind;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Each fault is found in journals that have it, and in none that do not. Times are numbers. */
class JournalCheckTest {
    private static final String KEY = "=a";

    @TempDir
    private Path directory = Path.of("");

    private Journal first = new Journal(Path.of(""));
    private Journal second = first;

    /** Lines with the times that a test chooses. */
    private static final class Journal {
        final Path file;
        final List<String> lines = new ArrayList<>();
        private long calls;

        Journal(Path file) {
            this.file = file;
        }

        Journal sent(long... offsets) {
            for (long offset : offsets) {
                lines.add(JournalLine.sent(new Position("t", 0, offset), KEY));
            }
            return this;
        }

        long begin(long offset, long time) {
            calls++;
            lines.add(JournalLine.begin(calls, new Position("t", 0, offset), KEY, time));
            return calls;
        }

        Journal end(long call, boolean done, long time) {
            lines.add(JournalLine.end(call, done, time));
            return this;
        }

        Journal call(long offset, long from, long to) {
            return end(begin(offset, from), true, to);
        }

        Journal failed(long offset, long from, long to) {
            return end(begin(offset, from), false, to);
        }

        Journal commit(long offset, long time) {
            lines.add(JournalLine.commit(new Position("t", 0, offset), "g", time));
            return this;
        }
    }

    @BeforeEach
    void journals() {
        first = new Journal(directory.resolve("first.journal"));
        second = new Journal(directory.resolve("second.journal"));
    }

    private JournalCheck check() throws IOException {
        Files.write(first.file, first.lines);
        Files.write(second.file, second.lines);
        return JournalCheck.ofDirectory(directory);
    }

    private static void assertFound(JournalReport report, Kind... kinds) {
        assertThat(report.faults())
                .as(report.toString())
                .extracting(JournalReport.Fault::kind)
                .containsExactly(kinds);
    }

    @Test
    void run_callsInOrderInTwoProcesses_findsNothing() throws IOException {
        first.sent(1, 2, 3).call(1, 10, 20).call(2, 21, 30).commit(3, 31);
        second.call(3, 32, 40).commit(4, 41);

        JournalReport report = check().run();

        assertFound(report);
        assertThat(report.isCorrect()).isTrue();
        assertThat(report.records()).isEqualTo(3);
        assertThat(report.calls()).isEqualTo(3);
        assertThat(report.commits()).isEqualTo(2);
        assertThat(report.repeats()).isEmpty();
        assertThat(report).hasToString("3 records, 3 calls, 2 commits, 0 repeated, 0 given up, 0 faults");
    }

    @Test
    void run_callsOfOneKeyAtTheSameTime_findsTheOverlap() throws IOException {
        first.call(1, 10, 20);
        second.call(2, 19, 30);

        JournalReport report = check().run();

        assertFound(report, Kind.OVERLAP);
        assertThat(report.toString()).contains("key a", "t-0@2 in second.journal", "t-0@1 in first.journal");
    }

    @Test
    void run_callsOfOneKeyOneAfterTheOtherAtOneTime_findsNothing() throws IOException {
        first.call(1, 10, 20);
        second.call(2, 20, 30);

        assertFound(check().run());
    }

    @Test
    void run_recordsWithoutKey_mayOverlap() throws IOException {
        for (int offset = 1; offset <= 2; offset++) {
            first.lines.add(JournalLine.begin(offset, new Position("t", 0, offset), JournalLine.NO_KEY, 10 + offset));
        }
        first.end(1, true, 20).end(2, true, 20);

        assertFound(check().run());
    }

    @Test
    void run_recordBeforeAnEarlierOne_findsTheDisorder() throws IOException {
        first.call(2, 10, 20).call(1, 21, 30).call(2, 31, 40);

        assertFound(check().run(), Kind.DISORDER);
    }

    /** A repeat of a record alone leaves a state without the records after it. */
    @Test
    void run_repeatThatDoesNotGoOn_findsTheDisorder() throws IOException {
        first.call(1, 10, 20).call(2, 21, 30);
        second.call(1, 31, 40);

        assertFound(check().run(), Kind.DISORDER);
    }

    @Test
    void run_repeatThatGoesOn_isCountedAndNoFault() throws IOException {
        first.call(1, 10, 20).call(2, 21, 30);
        second.call(1, 31, 40).call(2, 41, 50);

        JournalReport report = check().run();

        assertFound(report);
        assertThat(report.repeatedShare()).isEqualTo(1.0);
        assertThat(report.repeats())
                .containsExactly(
                        new JournalReport.Repeat("t", 0, 1, 20, first.file, 31, second.file),
                        new JournalReport.Repeat("t", 0, 2, 30, first.file, 41, second.file));
    }

    @Test
    void run_retries_areNoRepeats() throws IOException {
        first.failed(1, 10, 20).failed(1, 30, 40).call(1, 50, 60);

        JournalReport report = check().run();

        assertFound(report);
        assertThat(report.repeats()).isEmpty();
        assertThat(report.givenUp()).isZero();
    }

    @Test
    void run_recordWhoseCallsAllFailed_isGivenUp() throws IOException {
        first.failed(1, 10, 20).failed(1, 30, 40).commit(2, 41);

        JournalReport report = check().run();

        assertFound(report);
        assertThat(report.givenUp()).isEqualTo(1);
    }

    @Test
    void run_recordThatNoCallHandled_findsTheLoss() throws IOException {
        first.sent(1, 2).call(1, 10, 20);

        assertFound(check().run(), Kind.LOSS);
    }

    @Test
    void run_recordWithoutKeyThatWasPolledAlone_findsTheLoss() throws IOException {
        first.lines.add(JournalLine.poll(new Position("t", 0, 1), 2, 2, 9));
        first.call(1, 10, 20);

        assertFound(check().run(), Kind.LOSS);
    }

    @Test
    void run_callThatDidNotEnd_findsTheLoss() throws IOException {
        first.begin(1, 10);

        assertFound(check().run(), Kind.LOSS);
    }

    @Test
    void run_callOfAKilledProcess_endsWithIt() throws IOException {
        first.begin(1, 10);
        second.call(1, 31, 40);

        assertFound(check().run(), Kind.OVERLAP);
        assertFound(check().killed(first.file, 30).run());
    }

    @Test
    void run_callOfAFrozenProcess_mayOverlapUnlessItBeganLater() throws IOException {
        first.call(1, 10, 60);
        second.call(1, 31, 40);

        assertFound(check().frozen(first.file, 20).run());
        assertFound(check().frozen(first.file, 9).run(), Kind.OVERLAP);
    }

    @Test
    void run_commitBeforeTheEnd_isFound() throws IOException {
        first.call(1, 10, 20).commit(3, 25).call(2, 21, 30).commit(3, 31);

        JournalReport report = check().run();

        assertFound(report, Kind.EARLY_COMMIT);
        assertThat(report.toString()).contains("committed t-0@3 before t-0@2 was done");
    }

    @Test
    void run_commitOfARecordThatWaitsForItsNextAttempt_isFound() throws IOException {
        first.failed(1, 10, 20).commit(2, 25).call(1, 30, 40);

        assertFound(check().run(), Kind.EARLY_COMMIT);
    }

    @Test
    void run_commitThatGoesBack_isFound() throws IOException {
        first.call(1, 10, 20).call(2, 21, 30).commit(3, 31);
        second.commit(2, 40);

        assertFound(check().run(), Kind.BACKWARD_COMMIT);
    }

    @Test
    void run_firstCommitThatAFrozenProcessLearnsOf_mayBeOld() throws IOException {
        first.sent(1, 2).call(1, 10, 20).call(2, 21, 30).commit(2, 50);
        second.commit(3, 40);

        assertFound(check().frozen(first.file, 31).run());
        assertFound(check().run(), Kind.BACKWARD_COMMIT);
        first.commit(2, 51);
        assertFound(check().frozen(first.file, 31).run(), Kind.BACKWARD_COMMIT);
    }

    @Test
    void run_commitsAlone_areCheckedForSteps() throws IOException {
        first.lines.add(JournalLine.poll(new Position("t", 0, 1), 2, 2, 9));
        first.commit(3, 10);

        assertFound(check().run());
        first.commit(2, 11);
        assertFound(check().run(), Kind.BACKWARD_COMMIT);
    }

    @Test
    void superseding_recordsThatANewerOneReplaced_areDone() throws IOException {
        first.sent(1, 2, 3).call(1, 10, 20).call(3, 21, 30).commit(4, 31);

        assertFound(check().superseding().run());
        assertFound(check().run(), Kind.DISORDER, Kind.LOSS, Kind.EARLY_COMMIT);
    }

    @Test
    void superseding_olderRecordLast_findsTheDisorder() throws IOException {
        first.call(3, 10, 20).call(1, 21, 30);

        assertFound(check().superseding().run(), Kind.DISORDER);
    }

    @Test
    void run_lineThatWasNotWrittenCompletely_isLeftOut() throws IOException {
        first.call(1, 10, 20);
        Files.writeString(second.file, "b 1 1");
        Files.write(first.file, first.lines);

        assertFound(JournalCheck.ofDirectory(directory).run());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "b", "z 1 1", "b x 1 t 0 1 =a 1", "b 1 1 t 0 1 =a", "c 1 1 t 0 1 =a 1 1"})
    void run_fileThatIsNoJournal_isRefusedWithTheLine(String line) throws IOException {
        first.lines.add(line);
        JournalCheck check = check();

        assertThatThrownBy(check::run)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("not a line of a journal: '" + line + "'");
    }

    @Test
    void keys_ofAllTypes_areComparedByContent() {
        assertThat(JournalLine.text(new byte[] {1, -1})).isEqualTo(JournalLine.text(new byte[] {1, -1}));
        assertThat(JournalLine.text("a b\n%")).isEqualTo("=a+b%0A%25").doesNotContain(" ");
        assertThat(JournalLine.shown(JournalLine.text("a b\n%"))).isEqualTo("a b\n%");
        assertThat(JournalLine.text(null)).isNotEqualTo(JournalLine.text("-"));
        assertThat(JournalLine.text("")).isNotEqualTo(JournalLine.text(null));
    }

    @Test
    void journal_writtenByItsMethods_isRead() throws IOException {
        try (CallJournal journal = CallJournal.open(first.file);
                CallJournal again = CallJournal.open(first.file)) {
            journal.sent("a topic", 3, 7, "k".getBytes(StandardCharsets.UTF_8));
            CallJournal.Call call = journal.begin("a topic", 3, 7, "k".getBytes(StandardCharsets.UTF_8));
            again.polled("a topic", 3, 7, 7, 1);
            call.done();
            call.failed(); // has no effect
            again.committed("a group", "a topic", 3, 8);
        }

        JournalReport report = JournalCheck.of(List.of(first.file)).run();

        assertFound(report);
        assertThat(report).hasToString("1 records, 1 calls, 1 commits, 0 repeated, 0 given up, 0 faults");
    }
}
