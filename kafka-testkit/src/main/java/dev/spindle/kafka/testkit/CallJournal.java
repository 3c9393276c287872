// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.kafka.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Objects;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A file with the calls of a handler and the commits of a consumer, each with its time, for a {@link JournalCheck}.
 * Each process has a file of its own. What was written before a {@code kill -9} of the process is in the file.
 *
 * <p>The times of several processes are compared: the processes run on one machine whose {@link System#nanoTime} has
 * one origin for all processes, as that of Linux has.
 *
 * <p>Thread-safe. Each method writes to the file, under a lock, and blocks for no longer.
 */
public final class CallJournal implements AutoCloseable {
    private final FileChannel file;
    /** From a random number on, since a file can have several writers. */
    private final AtomicLong calls = new AtomicLong(ThreadLocalRandom.current().nextLong(Long.MAX_VALUE / 2));

    private CallJournal(FileChannel file) {
        this.file = file;
    }

    /**
     * Opens a journal, which is created unless it exists, and appended to if it does.
     *
     * @throws UncheckedIOException if the file cannot be opened
     */
    public static CallJournal open(Path file) {
        try {
            return new CallJournal(FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.APPEND));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Records the begin of a call. The handler invokes this first, and {@link Call#done} or {@link Call#failed} last.
     *
     * @param key the key by which records are ordered: a string, a number or a byte array; null if this record has no
     *     order
     * @throws UncheckedIOException if the file cannot be written
     */
    public Call begin(String topic, int partition, long offset, @Nullable Object key) {
        long now = System.nanoTime();
        long id = calls.incrementAndGet();
        write(JournalLine.begin(id, new JournalLine.Position(topic, partition, offset), JournalLine.text(key), now));
        return new Call(this, id);
    }

    /**
     * Records that a record was sent and must be handled, for a journal of the producer.
     *
     * @throws UncheckedIOException if the file cannot be written
     */
    public void sent(String topic, int partition, long offset, @Nullable Object key) {
        write(JournalLine.sent(new JournalLine.Position(topic, partition, offset), JournalLine.text(key)));
    }

    /** Records a commit of a group: {@code offset} is that of the next record to handle. */
    void committed(String group, String topic, int partition, long offset) {
        write(JournalLine.commit(new JournalLine.Position(topic, partition, offset), group, System.nanoTime()));
    }

    /** Records that a consumer has polled the records of a partition from {@code first} to {@code last}. */
    void polled(String topic, int partition, long first, long last, int count) {
        write(JournalLine.poll(new JournalLine.Position(topic, partition, first), last, count, System.nanoTime()));
    }

    private void write(String line) {
        // One write of a whole line, so that a line is never half there after the process was killed.
        ByteBuffer bytes = ByteBuffer.wrap((line + "\n").getBytes(StandardCharsets.UTF_8));
        try {
            synchronized (this) {
                while (bytes.hasRemaining()) {
                    var unused = file.write(bytes);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException("the journal cannot be written: " + Objects.toString(e.getMessage()), e);
        }
    }

    /** Closes the file. A call whose end comes later is a call without an end. */
    @Override
    public void close() {
        try {
            file.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A call that has begun. The first of {@link #done} and {@link #failed} counts. Thread-safe. */
    public static final class Call {
        private final CallJournal journal;
        private final long id;
        private final AtomicBoolean ended = new AtomicBoolean();

        private Call(CallJournal journal, long id) {
            this.journal = journal;
            this.id = id;
        }

        /** Records that the record is done. */
        public void done() {
            end(true);
        }

        /** Records that the call has failed: the record is tried again, or given up. */
        public void failed() {
            end(false);
        }

        private void end(boolean done) {
            if (ended.compareAndSet(false, true)) {
                journal.write(JournalLine.end(id, done, System.nanoTime()));
            }
        }
    }
}
