// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.kafka.ledger;

import org.jspecify.annotations.Nullable;

/**
 * The records of a partition that were taken in and are not done. Offsets are taken in ascending order, and become done
 * in any order. Knows nothing of the source of the records. Confined to one thread.
 */
public final class OffsetLedger {
    /*
     * Offsets below `next` that are not unfinished are done, or are no records: transaction markers, and what a
     * compaction has removed. So the ledger stores unfinished offsets alone, in blocks of up to 64, in a list that is
     * linked in the order of the offsets. A block has a bit for each unfinished record, and leaves the list when the
     * last of them is done. The memory is bounded by the number of unfinished records, however far the intake is ahead
     * of the first of them.
     *
     * OffsetLedger-1  Each unfinished offset is in exactly one block of the list, and has a bit there. No offset at or
     *     above the first unfinished one is below the watermark.
     * OffsetLedger-2  Offsets in the list ascend from block to block, and within a block.
     *
     * The names of the first unfinished offset, the position and the watermark: the watermark is the first unfinished
     * offset or, if there is none, the position.
     */
    /** Up to 64 consecutive records of one poll. */
    public static final class Block {
        private final long[] offsets;
        private final long since;
        private @Nullable Block previous;
        private @Nullable Block next;
        private long unfinished;
        private int size;

        Block(int capacity, long since) {
            offsets = new long[capacity];
            this.since = since;
        }

        /** Returns the slot of the offset that was added last. */
        public int lastSlot() {
            return size - 1;
        }
    }

    private @Nullable Block first;
    private @Nullable Block last;
    private int unfinished;
    private long next = -1;

    /** Returns the offset after the last one that was taken in; -1 if none was. */
    public long next() {
        return next;
    }

    /**
     * Takes in a record.
     *
     * @param offset the offset, greater than all earlier ones
     * @param more the number of records, this one included, that will be taken in at the same time
     * @param now the time, for {@link #oldest}
     * @return the block, whose {@link Block#lastSlot} is the slot of the record
     * @throws IllegalArgumentException if the offset does not ascend
     */
    public Block take(long offset, int more, long now) {
        if (offset < next) {
            throw new IllegalArgumentException("offset must be at least " + next + ", is " + offset);
        }
        Block block = last;
        if (block == null || block.size == block.offsets.length || block.since != now) {
            block = new Block(Math.min(Math.max(more, 1), Long.SIZE), now);
            link(block);
        }
        block.offsets[block.size] = offset;
        block.unfinished |= 1L << block.size; // OffsetLedger-1
        block.size++;
        unfinished++;
        next = offset + 1;
        return block;
    }

    private void link(Block block) {
        block.previous = last;
        if (last == null) {
            first = block;
        } else {
            last.next = block; // OffsetLedger-2
        }
        last = block;
    }

    /** Notes that offsets up to {@code end}, exclusive, are done without having been taken in. */
    public void skipTo(long end) {
        next = Math.max(next, end);
    }

    /**
     * Makes a record done.
     *
     * @throws IllegalStateException if the record is done
     */
    public void done(Block block, int slot) {
        long bit = 1L << slot;
        if ((block.unfinished & bit) == 0) {
            throw new IllegalStateException("offset " + block.offsets[slot] + " is done already");
        }
        block.unfinished &= ~bit;
        unfinished--;
        if (block.unfinished == 0) {
            unlink(block);
        }
    }

    private void unlink(Block block) {
        if (block.previous == null) {
            first = block.next;
        } else {
            block.previous.next = block.next;
        }
        if (block.next == null) {
            last = block.previous;
        } else {
            block.next.previous = block.previous;
        }
    }

    /** Returns the number of unfinished records. */
    public int unfinished() {
        return unfinished;
    }

    /** Returns the first unfinished offset, or {@code position} if there is none. */
    public long watermark(long position) {
        Block block = first;
        return block == null ? position : block.offsets[Long.numberOfTrailingZeros(block.unfinished)];
    }

    /** Returns the time at which the oldest unfinished record was taken in, or {@code now} if there is none. */
    public long oldest(long now) {
        return first == null ? now : first.since;
    }

    /** Returns the number of blocks, which grows with the number of unfinished records alone. */
    int blocks() {
        int blocks = 0;
        for (Block block = first; block != null; block = block.next) {
            blocks++;
        }
        return blocks;
    }

    /** Returns the unfinished offsets, in ascending order. */
    public long[] unfinishedOffsets() {
        long[] offsets = new long[unfinished];
        int size = 0;
        for (Block block = first; block != null; block = block.next) {
            for (long bits = block.unfinished; bits != 0; bits &= bits - 1) {
                offsets[size++] = block.offsets[Long.numberOfTrailingZeros(bits)];
            }
        }
        return offsets;
    }
}
