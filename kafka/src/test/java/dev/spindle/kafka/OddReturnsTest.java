// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.spindle.Spindle;
import dev.spindle.internal.Pool;
import dev.spindle.internal.SpindlePart;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.kafka.clients.consumer.CommitFailedException;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.RebalanceInProgressException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.WakeupException;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What a broker does too seldom for a test: calls of the client that fail, and odd orders of its calls. */
class OddReturnsTest {
    private final Spindle spindle = Spindle.create();
    private final ScriptedConsumer client = new ScriptedConsumer();
    private final ConcurrentLinkedQueue<String> handled = new ConcurrentLinkedQueue<>();
    private final CountDownLatch release = new CountDownLatch(1);
    private final KeyedConsumerBuilder<String, String> builder = KeyedConsumer.builder(
                    spindle, Map.of("bootstrap.servers", "none:1", "group.id", "group"), this::handle)
            .topics("topic")
            .deserializers(new StringDeserializer(), new StringDeserializer())
            .commitInterval(Duration.ofMillis(1))
            .backoff(Duration.ofMillis(1), Duration.ofMillis(1))
            .drainTime(Duration.ofMillis(300))
            .closeTimeout(Duration.ofMillis(300));

    private @org.jspecify.annotations.Nullable KeyedConsumer<String, String> started;

    private void handle(KeyedRecord<String, String> record) {
        handled.add(String.valueOf(record.value()));
        if ("stuck".equals(record.value())) {
            Eventually.await(release);
        }
    }

    private KeyedConsumer<String, String> start() {
        KeyedConsumer<String, String> consumer = KeyedConsumer.start(builder, configs -> client);
        started = consumer;
        return consumer;
    }

    @AfterEach
    void close() {
        release.countDown();
        if (started != null) {
            started.close();
        }
        spindle.close();
    }

    private void awaitHandled(String... values) {
        Eventually.until(() -> handled.containsAll(List.of(values)), () -> handled);
    }

    private void awaitCommitted(int partition, long offset) {
        Eventually.until(() -> client.committedOffset(partition) == offset, () -> client.commits);
    }

    /** Waits for the ends of calls, which come after their handlers, and which the loop then enters. */
    private static void awaitDone(int records, KeyedConsumer<String, String> consumer) {
        Eventually.until(() -> consumer.stats().done() == records, consumer::stats);
    }

    private static List<RuntimeException> passing() {
        return List.of(
                new TimeoutException("on purpose"),
                new RebalanceInProgressException("on purpose"),
                new CommitFailedException("on purpose"),
                new WakeupException(),
                new InterruptException("on purpose"));
    }

    @ParameterizedTest
    @MethodSource("passing")
    void poll_thatFailsByWhatPasses_isRepeated(RuntimeException failure) {
        KeyedConsumer<String, String> consumer = start();
        client.assign(0);
        client.pollFailures.add(failure);
        client.add(0, "k", "a");

        awaitHandled("a");
        awaitCommitted(0, 1);
        assertThat(consumer.terminated()).isNotDone();
    }

    @ParameterizedTest
    @MethodSource("passing")
    void commitOfARevocation_thatFailsByWhatPasses_endsNothing(RuntimeException failure) {
        if (failure instanceof WakeupException || failure instanceof InterruptException) {
            return; // thrown by poll alone
        }
        builder.commitInterval(Duration.ofHours(1));
        KeyedConsumer<String, String> consumer = start();
        client.assign(0);
        client.add(0, "k", "a");
        awaitHandled("a");
        client.syncFailures.add(failure);
        client.assign(1);
        client.add(1, "k", "b");

        awaitHandled("b");
        assertThat(consumer.terminated()).isNotDone();
        Eventually.until(() -> consumer.stats().failedCommits() == 1, consumer::stats);
    }

    @Test
    void asyncCommit_thatFails_isReplacedByALaterOne() {
        client.asyncFailure = new RebalanceInProgressException("on purpose");
        KeyedConsumer<String, String> consumer = start();
        client.assign(0);
        client.add(0, "k", "a");
        awaitHandled("a");
        Eventually.until(() -> consumer.stats().failedCommits() > 2, consumer::stats);
        client.asyncFailure = null;

        awaitCommitted(0, 1);
        assertThat(consumer.terminated()).isNotDone();
    }

    /** A user of the group may not read, or the cluster is of another version: no repetition helps. */
    @Test
    void q4_poll_thatFailsForGood_endsTheConsumerAtOnce() throws Exception {
        KeyedConsumer<String, String> consumer = start();
        client.assign(0);
        client.add(0, "k", "a");
        awaitHandled("a");
        awaitCommitted(0, 1);
        client.pollFailures.add(new AuthenticationException("on purpose"));

        assertThatThrownBy(() -> consumer.terminated().get(20, TimeUnit.SECONDS))
                .isInstanceOf(ExecutionException.class)
                .hasCauseInstanceOf(AuthenticationException.class);
        assertThat(client.left).isTrue();
        assertThat(consumer.close(Duration.ZERO).failure()).isInstanceOf(AuthenticationException.class);
        assertThat(client.committedOffset(0)).isEqualTo(1);
    }

    /** The client may be past records that a failed poll has not returned. */
    @Test
    void poll_thatFailsForGood_commitsNoPositionThatItHasNotReturned() throws Exception {
        builder.commitInterval(Duration.ofHours(1));
        KeyedConsumer<String, String> consumer = start();
        client.assign(0);
        client.add(0, "k", "a");
        awaitDone(1, consumer);
        client.afterPoll = records -> {
            if (!records.isEmpty()) {
                throw new OutOfMemoryError("on purpose");
            }
            return records;
        };
        client.inPoll(() -> client.addNow(0, "k", "lost"));

        assertThatThrownBy(() -> consumer.terminated().get(20, TimeUnit.SECONDS))
                .hasCauseInstanceOf(OutOfMemoryError.class);
        assertThat(client.committedOffset(0)).isEqualTo(1);
    }

    /** KAFKA-20332. */
    @Test
    void poll_thatReturnsRecordsOfARevokedPartition_dropsThem() {
        KeyedConsumer<String, String> consumer = start();
        client.assign(0, 1);
        AtomicBoolean revoked = new AtomicBoolean();
        client.afterPoll = records -> {
            if (!records.isEmpty() && revoked.compareAndSet(false, true)) {
                client.assignNow(1);
            }
            return records;
        };
        client.inPoll(() -> {
            client.addNow(0, "k", "dropped");
            client.addNow(1, "k", "taken");
        });

        awaitHandled("taken");
        Eventually.until(() -> consumer.stats().dropped() == 1, consumer::stats);
        awaitCommitted(1, 1);
        assertThat(handled).containsExactly("taken");
        assertThat(client.committedOffset(0)).isLessThanOrEqualTo(0);
    }

    @Test
    void close_whenTheClientCallsTheListenerAgain_commitsOnce() {
        builder.commitInterval(Duration.ofHours(1));
        KeyedConsumer<String, String> consumer = start();
        client.assign(0);
        client.add(0, "k", "a");
        awaitHandled("a");
        ConsumerReport report = consumer.close(Duration.ofSeconds(5));

        assertThat(client.left).isTrue();
        assertThat(client.commits.stream().filter(ScriptedConsumer.Commit::sync))
                .hasSize(1);
        assertThat(report.done()).isEqualTo(1);
        assertThat(report.abandoned()).isZero();
        assertThat(report.committed()).containsEntry("topic-0", 1L);
        assertThat(report.hasEnded()).isTrue();
        assertThat(consumer.terminated()).isCompleted();
        assertThat(consumer.close(Duration.ZERO)).hasToString(report.toString());
    }

    /** A client that is closed before the rebalance has completed loses its partitions, and so a commit. */
    @Test
    void q4_close_whileTheGroupRebalances_goesOnPollingUntilTheCommitSucceeds() {
        builder.commitInterval(Duration.ofHours(1));
        KeyedConsumer<String, String> consumer = start();
        client.assign(0);
        client.add(0, "k", "a");
        awaitHandled("a");
        for (int i = 0; i < 5; i++) {
            client.syncFailures.add(new RebalanceInProgressException("on purpose"));
        }
        ConsumerReport report = consumer.close(Duration.ofSeconds(10));

        assertThat(client.committedOffset(0)).isEqualTo(1);
        assertThat(report.committed()).containsEntry("topic-0", 1L);
    }

    @Test
    void lostPartition_commitsNothing_andItsRecordsDoNotBegin() {
        builder.commitInterval(Duration.ofHours(1));
        KeyedConsumer<String, String> consumer = start();
        client.assign(0);
        client.add(0, "k", "stuck");
        client.add(0, "k", "waits");
        awaitHandled("stuck");
        Eventually.until(() -> consumer.stats().polled() == 2, consumer::stats);
        int before = client.commits.size();
        CountDownLatch lost = new CountDownLatch(1);
        client.inPoll(() -> {
            Objects.requireNonNull(client.listener).onPartitionsLost(List.of(ScriptedConsumer.partition(0)));
            lost.countDown();
        });
        Eventually.await(lost);
        release.countDown();

        Eventually.until(() -> consumer.stats().fenced() == 2, consumer::stats);
        assertThat(handled).containsExactly("stuck");
        assertThat(client.commits).hasSize(before);
    }

    @Test
    void revocation_withAStuckCall_endsAfterTheDrainTimeAndDoesNotCommitTheCall() {
        builder.commitInterval(Duration.ofHours(1));
        KeyedConsumer<String, String> consumer = start();
        client.assign(0, 1);
        client.add(0, "other", "a");
        client.add(0, "k", "stuck");
        client.add(0, "third", "c");
        awaitHandled("a", "stuck", "c");
        awaitDone(2, consumer);
        client.assign(1);
        client.add(1, "x", "b");

        awaitHandled("b");
        assertThat(client.committedOffset(0)).isEqualTo(1);
        release.countDown();
        Eventually.until(() -> consumer.stats().fenced() == 1, consumer::stats);
        assertThat(client.committedOffset(0)).isEqualTo(1);
    }

    /** What was done above the watermark is not repeated by the next owner. */
    @Test
    void assignmentAfterARevocation_skipsWhatTheMetadataShowsAsDone() {
        builder.commitInterval(Duration.ofHours(1));
        KeyedConsumer<String, String> consumer = start();
        client.assign(0, 1);
        client.add(0, "k", "stuck");
        client.add(0, "other", "done");
        awaitHandled("stuck", "done");
        awaitDone(1, consumer);
        client.assign(1);
        Eventually.until(() -> client.committedOffset(0) == 0, () -> client.commits);
        release.countDown();
        client.inPoll(() -> {
            client.assignNow(0, 1);
            client.addRecord(ScriptedConsumer.record(0, 0, "k", "again"));
            client.addRecord(ScriptedConsumer.record(0, 1, "other", "done"));
            client.addRecord(ScriptedConsumer.record(0, 2, "other", "next"));
        });

        awaitHandled("again", "next");
        assertThat(handled).containsExactlyInAnyOrder("stuck", "done", "again", "next");
        assertThat(consumer.stats().alreadyDone()).isEqualTo(1);
    }

    @Test
    void q1_redeliveredRecord_whileTheOldCallRuns_waitsForIt() {
        builder.commitInterval(Duration.ofHours(1));
        KeyedConsumer<String, String> consumer = start();
        client.assign(0, 1);
        client.add(0, "k", "stuck");
        awaitHandled("stuck");
        client.assign(1);
        client.inPoll(() -> {
            client.assignNow(0, 1);
            client.addRecord(ScriptedConsumer.record(0, 0, "k", "again"));
        });
        client.add(1, "x", "b");
        awaitHandled("b");
        Eventually.until(() -> consumer.stats().inFlight() == 2, consumer::stats);
        assertThat(handled).containsExactly("stuck", "b");
        release.countDown();

        awaitHandled("again");
        awaitDone(2, consumer);
        Eventually.until(() -> consumer.stats().fenced() == 1, consumer::stats);
    }

    @Test
    void foreignMetadata_isReportedAndIgnored() {
        KeyedConsumer<String, String> consumer = start();
        client.inPoll(() ->
                client.commitSync(Map.of(ScriptedConsumer.partition(0), new OffsetAndMetadata(0, "bf14/8J+YgA=="))));
        client.assign(0);
        client.add(0, "k", "a");

        awaitHandled("a");
        awaitCommitted(0, 1);
        assertThat(consumer.stats().metadataIgnored()).isEqualTo(1);
    }

    /** Pauses belong to an assignment: those of kept partitions end, too. */
    @Test
    void rebalance_whileTheConsumerIsFull_pausesAllPartitionsAgain() {
        builder.maxRecords(2);
        start();
        client.assign(0, 1);
        client.add(0, "k", "stuck");
        client.add(0, "k", "waits");
        Eventually.until(() -> client.pauses.contains("pause 2"), () -> client.pauses);
        client.assign(0, 1, 2);

        Eventually.until(() -> client.pauses.contains("pause 3"), () -> client.pauses);
        Eventually.until(() -> client.paused().size() == 3, () -> client.pauses);
        release.countDown();
        Eventually.until(() -> client.paused().isEmpty(), () -> client.pauses);
    }

    @Test
    void q2_commit_belowTheLastOne_isNotMade() {
        KeyedConsumer<String, String> consumer = start();
        TopicPartition partition = ScriptedConsumer.partition(0);
        client.inPoll(() -> client.commitSync(Map.of(partition, new OffsetAndMetadata(5))));
        client.inPoll(() -> {
            client.assignNow(0);
            client.seek(partition, 2);
            client.addRecord(ScriptedConsumer.record(0, 2, "k", "stuck"));
        });
        awaitHandled("stuck");
        client.assign(0, 1);
        client.add(1, "k2", "b");
        awaitCommitted(1, 1);

        assertThat(client.committedOffset(0)).isEqualTo(5);
        assertThat(consumer.terminated()).isNotDone();
    }

    /** A process that was frozen, or cut off, past its session. */
    @Test
    void doubtAboutTheMembership_holdsCallsUntilACommitSucceeds() {
        builder.sessionTimeout(Duration.ofMillis(400));
        KeyedConsumer<String, String> consumer = start();
        client.assign(0);
        client.add(0, "a", "first");
        awaitHandled("first");
        client.asyncFailure = new TimeoutException("on purpose");
        Eventually.until(() -> consumer.stats().failedCommits() > 0, consumer::stats);
        CountDownLatch doubted = new CountDownLatch(1);
        long begin = System.nanoTime();
        client.afterPoll = records -> {
            if (System.nanoTime() - begin > 500_000_000L) {
                doubted.countDown();
            }
            return records;
        };
        Eventually.await(doubted);
        client.add(0, "a", "held");
        Eventually.until(() -> consumer.stats().polled() == 2, consumer::stats);
        Eventually.until(() -> consumer.stats().running() == 0, consumer::stats);
        assertThat(handled).containsExactly("first");
        client.asyncFailure = null;

        awaitHandled("held");
        awaitCommitted(0, 2);
    }

    @Test
    void unreadableRecord_byDefault_endsTheConsumerAndIsNotCommitted() {
        builder.deserializers(new StringDeserializer(), new FailingDeserializer());
        KeyedConsumer<String, String> consumer = start();
        client.assign(0);
        client.inPoll(() -> {
            client.addNow(0, "k", "a");
            client.addNow(0, "k", "bad");
            client.addNow(0, "k", "b");
        });

        assertThatThrownBy(() -> consumer.terminated().get(20, TimeUnit.SECONDS))
                .cause()
                .hasMessageContaining("topic-0@1")
                .hasMessageContaining("onUnreadable")
                .hasRootCauseMessage("on purpose");
        assertThat(client.committedOffset(0)).isLessThanOrEqualTo(1);
    }

    @Test
    void unreadableRecord_underSkip_isDone() {
        builder.deserializers(new StringDeserializer(), new FailingDeserializer())
                .onUnreadable(FailurePolicy.skip());
        KeyedConsumer<String, String> consumer = start();
        client.assign(0);
        client.inPoll(() -> {
            client.addNow(0, "k", "bad");
            client.addNow(0, "k", "b");
        });

        awaitHandled("b");
        awaitCommitted(0, 2);
        assertThat(consumer.stats().unreadable()).isEqualTo(1);
        assertThat(consumer.stats().skipped()).isEqualTo(1);
    }

    @Test
    void keyExtractor_thatThrows_isAnUnreadableRecord() {
        builder.keyExtractor(record -> {
                    if ("bad".equals(record.value())) {
                        throw new IllegalStateException("on purpose");
                    }
                    return "all";
                })
                .onUnreadable(FailurePolicy.skip());
        KeyedConsumer<String, String> consumer = start();
        client.assign(0);
        client.add(0, "k", "bad");
        client.add(0, "k", "b");

        awaitHandled("b");
        awaitCommitted(0, 2);
        assertThat(consumer.stats().unreadable()).isEqualTo(1);
    }

    @Test
    void spindleThatIsShutDown_endsTheConsumer() {
        KeyedConsumer<String, String> consumer = start();
        client.assign(0);
        client.add(0, "k", "a");
        awaitHandled("a");
        spindle.shutdown();

        assertThatThrownBy(() -> consumer.terminated().get(20, TimeUnit.SECONDS))
                .cause()
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("shutdown");
        assertThat(client.left).isTrue();
    }

    @Test
    void q4_close_withAStuckCall_returnsInTimeWithExactNumbers() {
        builder.commitInterval(Duration.ofHours(1));
        KeyedConsumer<String, String> consumer = start();
        client.assign(0);
        client.add(0, "a", "first");
        client.add(0, "k", "stuck");
        client.add(0, "k", "waits");
        awaitHandled("first", "stuck");
        Eventually.until(() -> consumer.stats().polled() == 3, consumer::stats);
        awaitDone(1, consumer);
        long begin = System.nanoTime();
        ConsumerReport report = consumer.close(Duration.ofMillis(200));
        long millis = (System.nanoTime() - begin) / 1_000_000;

        assertThat(millis).isBetween(200L, 1_200L);
        assertThat(report.done()).isEqualTo(1);
        assertThat(report.abandoned()).isEqualTo(2);
        assertThat(report.running()).isEqualTo(1);
        assertThat(report.committed()).containsEntry("topic-0", 1L);
        release.countDown();
        spindle.close();
        assertThat(handled).containsExactlyInAnyOrder("first", "stuck");
    }

    /** What the module observe shows. */
    @Test
    void figures_ofTheSpindle_haveTheConsumerAndItsPartitions() {
        builder.commitInterval(Duration.ofHours(1));
        KeyedConsumer<String, String> consumer = start();
        client.assign(0, 1);
        client.add(0, "a", "first");
        client.add(1, "k", "stuck");
        awaitHandled("first", "stuck");
        awaitDone(1, consumer);
        Eventually.until(
                () -> consumer.stats().partitions().stream()
                        .allMatch(partition -> partition.unfinished() == partition.partition()),
                consumer::stats);
        List<String> figures = new ArrayList<>();
        SpindlePart.FigureList list = (kind, owner, of) -> {
            if (kind == SpindlePart.Kind.CONSUMER || kind == SpindlePart.Kind.PARTITION) {
                figures.add(kind + " " + owner + " " + of.name() + " " + of.completed() + " " + of.running());
            }
        };
        Pool.of(spindle).listFigures(list);

        assertThat(figures)
                .containsExactly(
                        "CONSUMER null group 1 1", "PARTITION group topic-0 0 0", "PARTITION group topic-1 0 1");
        consumer.close();
        figures.clear();
        Pool.of(spindle).listFigures(list);
        assertThat(figures).isEmpty();
    }

    @Test
    void close_byAHandler_isRefused() {
        List<Throwable> failures = new ArrayList<>();
        CountDownLatch refused = new CountDownLatch(1);
        KeyedConsumerBuilder<String, String> closing = KeyedConsumer.builder(
                        spindle,
                        Map.of("bootstrap.servers", "none:1", "group.id", "group"),
                        (KeyedRecord<String, String> record) -> {
                            try {
                                Eventually.until(() -> started != null, () -> "not started");
                                Objects.requireNonNull(started).close();
                            } catch (IllegalStateException e) {
                                failures.add(e);
                                refused.countDown();
                            }
                        })
                .topics("topic")
                .deserializers(new StringDeserializer(), new StringDeserializer());
        started = KeyedConsumer.start(closing, configs -> client);
        client.assign(0);
        client.add(0, "k", "a");

        Eventually.await(refused);
        assertThat(failures.get(0)).hasMessageContaining("cannot be closed by the thread");
    }

    /** The log of a topic that was deleted and made again begins anew. */
    @Test
    void offsetsThatGoBack_areANewBeginning() {
        KeyedConsumer<String, String> consumer = start();
        client.assign(0);
        client.add(0, "k", "a");
        client.add(0, "k", "b");
        awaitCommitted(0, 2);
        AtomicBoolean once = new AtomicBoolean();
        client.afterPoll = records -> {
            if (once.compareAndSet(false, true)) {
                TopicPartition partition = ScriptedConsumer.partition(0);
                List<ConsumerRecord<byte[], byte[]>> again = List.of(ScriptedConsumer.record(0, 0, "k", "new"));
                client.seek(partition, 1);
                return new ConsumerRecords<>(Map.of(partition, again), Map.of(partition, new OffsetAndMetadata(1)));
            }
            return records;
        };

        awaitHandled("new");
        awaitCommitted(0, 1);
        assertThat(consumer.terminated()).isNotDone();
    }

    private static final class FailingDeserializer extends StringDeserializer {
        @Override
        public String deserialize(String topic, byte[] data) {
            String text = super.deserialize(topic, data);
            if (text.equals("bad")) {
                throw new IllegalArgumentException("on purpose");
            }
            return text;
        }
    }
}
