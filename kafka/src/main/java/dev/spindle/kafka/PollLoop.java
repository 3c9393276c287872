// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.kafka;

import dev.spindle.Spindle;
import dev.spindle.internal.SpindlePart;
import dev.spindle.internal.report.Figures;
import dev.spindle.kafka.ledger.DoneRanges;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.consumer.CommitFailedException;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.RebalanceInProgressException;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.errors.WakeupException;
import org.jspecify.annotations.Nullable;

/**
 * The thread that polls, commits and answers rebalances. All calls of the client, and all writes of ledgers, are made
 * by this thread, which never waits for a handler but in the bounded drain of a revocation or a close.
 */
final class PollLoop<K, V> implements Runnable, SpindlePart {
    /*
     * One round: enter what has ended into the ledgers; pause or resume; commit if it is due; poll; take in.
     *
     * A revocation: the partitions take in nothing more, since the listener runs within poll. Wait until their records
     * have ended, for a bounded time; fence, so that no further call begins; enter what has ended; commit
     * synchronously; leave. A loss: fence and leave, without a commit.
     *
     * PollLoop-1  A partition is fenced before its last commit is computed, and has left before the listener returns.
     *     So a call that has not begun by then does not begin, and its record is not committed (Q1, Q2).
     * PollLoop-2  A poll or a commit that fails by what may pass (a time-out, a rebalance in progress, a generation
     *     that is over) ends no round. All other failures end the loop, which then leaves the group at once (Q4).
     *
     * A partition that has left is in no later commit. KafkaConsumer.close calls the listener again, for partitions
     * that have left before; then nothing happens. The client is not woken up, since a wake-up breaks off the commit of
     * a revocation. The loop notices a close after at most one poll, of at most 100 ms.
     *
     * field      writers        readers        mode
     * closeAt    closers        the loop       volatile; meaningful while `closing`
     * closing    closers, loop  the loop       volatile: false, true
     * beat       the loop       stalled()      volatile
     */

    /** The longest poll. Not measured; as long as that of usual loops. */
    private static final Duration IDLE = Duration.ofMillis(100);

    /** The poll while the intake is paused, or records wait for the group. Not measured. */
    private static final Duration BUSY = Duration.ofMillis(10);

    /** The pause of a drain between two looks at the ledgers. Not measured. */
    private static final long LOOK_NANOS = 1_000_000;

    /** The pause after a poll that has failed. Not measured. */
    private static final long FAILED_NANOS = 100_000_000;

    /** The time from one reading of the lags to the next, and from one commit in a drain to the next. Not measured. */
    private static final long SECOND_NANOS = 1_000_000_000;

    /** The least time for the last commit, and for leaving the group: together less than a second. Not measured. */
    private static final long LAST_NANOS = 350_000_000;

    /** The longest wait for the commits of earlier owners. Not measured. */
    private static final Duration COMMITTED = Duration.ofSeconds(10);

    private final String name;
    private final Spindle spindle;
    private final Consumer<byte[], byte[]> consumer;
    private final KeyedConsumerBuilder<K, V> options;
    private final Calls<K, V> calls;
    private final Works<K, V> works = new Works<>();
    private final Lease lease;
    private final Committer<K, V> committer;
    private final Intake<K, V> intake;
    private final @Nullable DeadLetters<K, V> deadLetters;
    private final long drainNanos;
    private final CompletableFuture<@Nullable Void> terminated = new CompletableFuture<>();
    private final CountDownLatch ended = new CountDownLatch(1);
    private volatile boolean closing;
    private volatile long closeAt;
    private volatile long beat;
    private volatile @Nullable ConsumerReport report;
    private long pollBegan;
    private long lagsAt;
    private boolean rebalanced;
    private final Log.Often log = new Log.Often();

    PollLoop(
            String name,
            KeyedConsumerBuilder<K, V> options,
            Consumer<byte[], byte[]> consumer,
            Calls<K, V> calls,
            IntakeFactory<K, V> intake,
            @Nullable DeadLetters<K, V> deadLetters,
            long sessionNanos,
            long drainNanos) {
        this.name = name;
        this.options = options;
        this.consumer = consumer;
        this.calls = calls;
        this.deadLetters = deadLetters;
        this.drainNanos = drainNanos;
        spindle = options.spindle;
        long now = spindle.nanoTime();
        lease = new Lease(sessionNanos, now);
        this.intake = intake.create(works, () -> lease.isValid(spindle.nanoTime()));
        committer = new Committer<>(
                consumer, works, lease, options.commitInterval.toNanos(), options.maxMetadata, now, calls::releaseHeld);
        beat = now;
        pollBegan = now;
        lagsAt = now;
    }

    /** Creates the intake of a loop. */
    interface IntakeFactory<K, V> {
        Intake<K, V> create(Works<K, V> works, PolledRecord.Membership membership);
    }

    // ---------------------------------------------------------------- the loop

    @Override
    public void run() {
        Throwable failure = null;
        try {
            if (options.pattern != null) {
                consumer.subscribe(options.pattern, new Rebalances());
            } else {
                consumer.subscribe(options.topics, new Rebalances());
            }
            while (!closing) {
                round(IDLE);
            }
            drainAll();
        } catch (Throwable e) {
            failure = e;
        }
        end(failure);
    }

    private void round(Duration longest) {
        works.collect();
        Throwable fatal = calls.fatal();
        if (fatal != null) {
            throw new IllegalStateException("consumer " + name + " was ended by a record", fatal);
        }
        if (spindle.isShutdown() && !closing) {
            throw new IllegalStateException("consumer " + name + " was ended by the shutdown of " + spindle);
        }
        long now = spindle.nanoTime();
        if (calls.hasHeld() && lease.isValid(now)) {
            calls.releaseHeld();
        }
        intake.updatePauses(closing);
        committer.commitIfDue(now);
        readLags(now);
        ConsumerRecords<byte[], byte[]> polled = poll(now, longest);
        if (polled != null) {
            take(polled);
        }
        beat = spindle.nanoTime();
        pollBegan = now;
    }

    private @Nullable ConsumerRecords<byte[], byte[]> poll(long now, Duration longest) {
        boolean isBusy = intake.isPaused() || calls.hasHeld();
        long due = committer.remaining(now);
        Duration timeout = isBusy ? BUSY : longest;
        if (due > 0 && due < timeout.toNanos() && works.totals.inFlight > 0) {
            timeout = Duration.ofNanos(due);
        }
        committer.trustPositions(false);
        try {
            return consumer.poll(timeout);
            // PollLoop-2
        } catch (RetriableException | RebalanceInProgressException | CommitFailedException | WakeupException e) {
            log.warn("a poll of consumer " + name + " has failed, and is repeated", e, now);
        } catch (InterruptException e) {
            boolean unused = Thread.interrupted();
            log.warn("a poll of consumer " + name + " was interrupted, and is repeated", e, now);
        }
        LockSupport.parkNanos(FAILED_NANOS);
        return null;
    }

    private void take(ConsumerRecords<byte[], byte[]> polled) {
        intake.take(polled, committer, spindle.nanoTime(), closing);
        committer.trustPositions(true);
        if (rebalanced) {
            rebalanced = false;
            works.assigned().forEach(work -> work.isFresh = false);
        }
    }

    private void readLags(long now) {
        if (now - lagsAt < SECOND_NANOS) {
            return;
        }
        lagsAt = now;
        calls.limit();
        for (PartitionWork<K, V> work : works.assigned()) {
            try {
                OptionalLong lag = consumer.currentLag(work.partition);
                long position = committer.position(work);
                if (lag.isPresent() && position >= 0) {
                    work.lag = lag.getAsLong() + position - work.ledger.watermark(position);
                }
            } catch (KafkaException | IllegalStateException e) {
                work.lag = -1;
            }
        }
    }

    // ---------------------------------------------------------------- rebalances

    private final class Rebalances implements ConsumerRebalanceListener {
        @Override
        public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
            works.totals.rebalances++;
            rebalanced = true;
            lease.renew(pollBegan); // the poll before this one: the assignment was not received earlier
            if (!partitions.isEmpty()) {
                assign(partitions);
            }
            intake.assigned();
            works.collect();
            intake.updatePauses(closing);
        }

        @Override
        public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
            List<PartitionWork<K, V>> revoked = works.of(partitions);
            if (revoked.isEmpty()) {
                return;
            }
            works.totals.rebalances++;
            drain(revoked);
            leave(revoked, Long.MAX_VALUE);
        }

        @Override
        public void onPartitionsLost(Collection<TopicPartition> partitions) {
            List<PartitionWork<K, V>> lost = works.of(partitions);
            if (lost.isEmpty()) {
                return;
            }
            works.totals.rebalances++;
            works.remove(lost);
            calls.kickAll();
            Log.warn("consumer " + name + " has lost " + partitions, null);
        }
    }

    private void assign(Collection<TopicPartition> partitions) {
        Map<TopicPartition, OffsetAndMetadata> committed = Map.of();
        try {
            committed = consumer.committed(Set.copyOf(partitions), COMMITTED);
        } catch (KafkaException e) {
            Log.warn("the commits of " + partitions + " could not be read; records may be repeated", e);
        }
        for (TopicPartition partition : partitions) {
            OffsetAndMetadata known = committed.get(partition);
            DoneRanges earlier = DoneRanges.NONE;
            if (known != null) {
                try {
                    earlier = DoneRanges.decode(known.metadata(), known.offset());
                } catch (IllegalArgumentException e) {
                    works.totals.metadataIgnored++;
                    Log.warn("commit metadata of " + partition + " is ignored: " + e.getMessage(), null);
                }
            }
            works.add(new PartitionWork<>(
                    partition, known == null ? -1 : known.offset(), known == null ? null : known.metadata(), earlier));
        }
    }

    /** Waits until {@code revoked} are quiet, for a bounded time. Commits meanwhile. */
    private void drain(List<PartitionWork<K, V>> revoked) {
        long began = spindle.nanoTime();
        long commitAt = began + SECOND_NANOS;
        works.collect();
        while (!Works.areQuiet(revoked) && calls.fatal() == null && !spindle.isTerminated()) {
            long now = spindle.nanoTime();
            if (now - began >= drainNanos || (closing && now - closeAt >= 0)) {
                Log.warn("consumer " + name + " gives up partitions while calls of theirs still run", null);
                return;
            }
            if (now - commitAt >= 0) {
                committer.commitSync(works.assigned(), SECOND_NANOS, now, true);
                commitAt = spindle.nanoTime() + SECOND_NANOS;
            }
            boolean unused = Thread.interrupted();
            LockSupport.parkNanos(LOOK_NANOS);
            works.collect();
            beat = now;
        }
    }

    private void leave(List<PartitionWork<K, V>> leaving, long commitNanos) {
        leaving.forEach(PartitionWork::fence);
        works.collect();
        boolean unused = committer.commitSync(leaving, commitNanos, spindle.nanoTime(), false);
        works.remove(leaving);
        calls.kickAll();
    }

    // ---------------------------------------------------------------- end

    /** Asks the loop to end by the time {@code at}, or by an earlier time that was asked for before. */
    synchronized void close(long at) {
        if (!closing || at - closeAt < 0) {
            closeAt = at;
        }
        closing = true;
    }

    private void drainAll() {
        while (true) {
            works.collect();
            long left = closeAt - spindle.nanoTime();
            if (left <= 0 || (Works.areQuiet(works.assigned()) && isCommitted(left))) {
                return;
            }
            round(BUSY.toNanos() < left ? BUSY : Duration.ofNanos(left));
        }
    }

    /**
     * Commits all that is done. Returns false if the commit has failed, for example because the group rebalances: then
     * further polls go on with the rebalance, after which the commit may succeed.
     */
    private boolean isCommitted(long nanos) {
        return committer.commitSync(works.assigned(), nanos, spindle.nanoTime(), false);
    }

    private void end(@Nullable Throwable failure) {
        if (failure != null) {
            close(spindle.nanoTime());
        }
        Throwable second = null;
        List<PartitionWork<K, V>> last = new ArrayList<>(works.assigned());
        try {
            leave(last, Math.max(LAST_NANOS, closeAt - spindle.nanoTime()));
        } catch (Throwable e) {
            second = e;
            works.remove(last);
        }
        calls.cancelTimers();
        try {
            closeClient();
        } catch (Throwable e) {
            second = e;
        }
        if (second != null) {
            Log.error("consumer " + name + " could not close its client in order", second);
        }
        works.collect();
        report = newReport(last, true, failure);
        ended.countDown();
        closeParts();
        if (failure == null) {
            terminated.complete(null);
        } else {
            Log.error("consumer " + name + " has ended, and has left its group", failure);
            terminated.completeExceptionally(failure);
        }
    }

    @SuppressWarnings("deprecation") // the replacement is younger than the oldest client that is supported
    private void closeClient() {
        long left = Math.max(LAST_NANOS, closeAt - spindle.nanoTime());
        consumer.close(Duration.ofNanos(Math.min(left, COMMITTED.toNanos())));
    }

    private void closeParts() {
        try {
            intake.close();
            if (deadLetters != null) {
                deadLetters.close(Duration.ofNanos(Math.max(0, closeAt - spindle.nanoTime())));
            }
        } catch (Throwable e) {
            Log.warn("consumer " + name + " could not close its parts", e);
        }
    }

    // ---------------------------------------------------------------- seen from other threads

    private ConsumerReport newReport(List<PartitionWork<K, V>> of, boolean isEnd, @Nullable Throwable failure) {
        long done = works.totals.done;
        return new ConsumerReport(
                done, works.totals.polled - done, calls.running(), Committer.committed(of), isEnd, failure);
    }

    /** Waits for the end for at most {@code nanos}. If the loop has not ended by then, no further call begins. */
    ConsumerReport awaitEnd(long nanos) throws InterruptedException {
        if (!ended.await(nanos, TimeUnit.NANOSECONDS)) {
            List<PartitionWork<K, V>> assigned = works.assigned();
            assigned.forEach(PartitionWork::fence);
            return newReport(assigned, false, null);
        }
        return Objects.requireNonNull(report);
    }

    CompletableFuture<@Nullable Void> terminated() {
        ConsumerReport last = report;
        if (last == null) {
            return terminated.copy();
        }
        Throwable failure = last.failure(); // dependents of the future may still run
        return failure == null ? CompletableFuture.completedFuture(null) : CompletableFuture.failedFuture(failure);
    }

    boolean isStalled() {
        if (ended.getCount() == 0) {
            return false;
        }
        long now = spindle.nanoTime();
        long most = options.stalledAfter.toNanos();
        if (now - beat > most) {
            return true;
        }
        for (PartitionWork<K, V> work : works.assigned()) {
            if (work.unfinished > 0 && now - work.oldest > most) {
                return true;
            }
        }
        return false;
    }

    /** Adds the figures of the consumer, and of its partitions. */
    @Override
    public void listFigures(SpindlePart.FigureList list) {
        if (report != null) {
            return;
        }
        ConsumerStats stats = stats();
        list.add(
                SpindlePart.Kind.CONSUMER,
                null,
                new Figures(
                        name,
                        stats.polled(),
                        stats.done(),
                        stats.failedAttempts(),
                        stats.refusedDeadLetters(),
                        stats.fenced(),
                        stats.superseded(),
                        0,
                        stats.inFlight(),
                        stats.running(),
                        options.maxRecords,
                        options.maxConcurrency));
        for (PartitionStats of : stats.partitions()) {
            list.add(
                    SpindlePart.Kind.PARTITION,
                    name,
                    new Figures(
                            of.topic() + "-" + of.partition(),
                            0,
                            0,
                            0,
                            0,
                            of.parked(),
                            0,
                            of.oldestAge().toMillis(),
                            Math.max(0, of.lag()),
                            (int) of.unfinished(),
                            Integer.MAX_VALUE,
                            Integer.MAX_VALUE));
        }
    }

    ConsumerStats stats() {
        ConsumerStats.Totals totals = works.totals.copy();
        totals.failedAttempts = calls.failedAttempts.sum();
        totals.refusedDeadLetters = calls.refusedDeadLetters.sum();
        totals.parkedKeys = calls.parkedKeys();
        totals.running = calls.running();
        long now = spindle.nanoTime();
        boolean isPaused = intake.isPaused();
        List<PartitionStats> partitions = new ArrayList<>();
        for (PartitionWork<K, V> work : works.assigned()) {
            int unfinished = work.unfinished;
            partitions.add(new PartitionStats(
                    work.partition.topic(),
                    work.partition.partition(),
                    work.position,
                    work.committed,
                    work.lag,
                    unfinished,
                    work.parked,
                    Duration.ofNanos(unfinished == 0 ? 0 : Math.max(0, now - work.oldest)),
                    isPaused));
        }
        partitions.sort(Comparator.comparing(PartitionStats::topic).thenComparingInt(PartitionStats::partition));
        return new ConsumerStats(name, totals, partitions);
    }
}
