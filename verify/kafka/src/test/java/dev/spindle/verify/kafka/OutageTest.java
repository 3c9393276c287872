// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.kafka.testkit.JournalReport;
import dev.spindle.kafka.testkit.KafkaBroker;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Brokers that come and go, and topics that come and grow, with two processes. */
@Tag("storm")
@Timeout(900)
class OutageTest {
    private static final int PROCESSES = 2;
    /** The length of an outage; longer than a session. A producer may block meanwhile, so it is no clock. */
    private static final int OUTAGE_SECONDS = 5;

    /** The records of the load that follow a change. */
    private static final int FURTHER = 5_000;

    private final KafkaBroker broker = KafkaBroker.builder()
            .property("group.consumer.session.timeout.ms", Member.SESSION_MILLIS)
            .startLimit(Duration.ofMinutes(4))
            .build();

    private final Path directory = Storm.newDirectory();

    private Storm storm = new Storm(broker, directory, Assignment.COOPERATIVE, Member.Kind.SPINDLE, 0);

    OutageTest() throws IOException {}

    @AfterEach
    void close() {
        storm.close();
        broker.close();
    }

    private void assertFinishes(String what) throws InterruptedException {
        JournalReport report = storm.finish();
        storm.print(what, report);

        assertThat(report.isCorrect()).as(report.toString()).isTrue();
        assertThat(report.records()).isPositive();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void brokerThatStopsOrDies_isWaitedFor(boolean dies) throws Exception {
        broker.start();
        storm.begin(PROCESSES);
        for (int i = 0; i < 2; i++) {
            if (dies) {
                broker.kill();
            } else {
                broker.stop();
            }
            parkFor(OUTAGE_SECONDS);
            broker.start();
            storm.load().awaitFurther(FURTHER);
        }
        assertFinishes(dies ? "broker killed" : "broker restarted");
    }

    @ParameterizedTest
    @EnumSource(Assignment.class)
    void brokerThatRestarts_onEachAssignment_isWaitedFor(Assignment assignment) throws Exception {
        storm = new Storm(broker, directory, assignment, Member.Kind.SPINDLE, 0);
        broker.start();
        storm.begin(PROCESSES);
        broker.restart();
        storm.load().awaitFurther(FURTHER);
        assertFinishes("broker restarted");
    }

    @Test
    void brokerThatIsAwayAtTheStart_isWaitedFor() throws Exception {
        storm.startProcesses(PROCESSES);
        parkFor(OUTAGE_SECONDS);
        broker.start();
        storm.startLoad();
        storm.load().awaitFurther(FURTHER);
        assertFinishes("broker away at the start");
    }

    @Test
    void topicThatIsCreatedLater_isFound() throws Exception {
        broker.start();
        storm.startProcesses(PROCESSES);
        parkFor(3);
        storm.startLoad();
        storm.load().awaitFurther(FURTHER);
        assertFinishes("topic created later");
    }

    @Test
    void topicThatGrows_isFollowed() throws Exception {
        broker.start();
        storm.begin(PROCESSES);
        broker.growTopic(storm.topic(), 12);
        storm.load().awaitFurther(FURTHER);
        assertFinishes("topic grown");
    }

    /** The length of an outage is its meaning: there is no condition to wait for. */
    private static void parkFor(int seconds) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
        for (long left = end - System.nanoTime(); left > 0; left = end - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }
}
