// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.kafka;

import dev.spindle.kafka.ledger.OffsetLedger;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;

/** A record of a partition, with its place in the ledger. */
final class PolledRecord<K, V> extends Call<K, V> {
    final PartitionWork<K, V> work;
    final ConsumerRecord<byte[], byte[]> source;
    final OffsetLedger.Block block;
    final int slot;
    private final int bytes;
    private final Membership membership;

    @Nullable
    PolledRecord<K, V> next; // pushed before this record

    @Nullable
    Outcome outcome; // not null when pushed

    PolledRecord(
            Calls<K, V> calls,
            Membership membership,
            PartitionWork<K, V> work,
            ConsumerRecord<byte[], byte[]> source,
            OffsetLedger.Block block,
            @Nullable K key,
            @Nullable V value) {
        super(calls, key, value);
        this.membership = membership;
        this.work = work;
        this.source = source;
        this.block = block;
        slot = block.lastSlot();
        bytes = Math.max(0, source.serializedKeySize()) + Math.max(0, source.serializedValueSize());
    }

    /** Tells whether this process is certainly a member of its group now. */
    interface Membership {
        boolean isCertain();
    }

    /** Returns the number of bytes that count for the bound. */
    int bytes() {
        return bytes;
    }

    @Override
    BooleanSupplier fence() {
        return work;
    }

    @Override
    boolean mayBegin() {
        return membership.isCertain();
    }

    @Override
    void countAside(int records) {
        work.countAside(records);
    }

    @Override
    void returned(Outcome outcome) {
        this.outcome = outcome;
        work.push(this);
    }

    @Override
    public String topic() {
        return source.topic();
    }

    @Override
    public int partition() {
        return source.partition();
    }

    @Override
    public long offset() {
        return source.offset();
    }

    @Override
    public long timestamp() {
        return source.timestamp();
    }

    @Override
    public List<Header> headers() {
        List<Header> headers = new ArrayList<>();
        source.headers().forEach(header -> headers.add(new Header(header.key(), header.value())));
        return headers;
    }
}
