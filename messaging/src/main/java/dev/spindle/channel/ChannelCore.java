// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.channel;

import dev.spindle.internal.Pool;
import dev.spindle.internal.WaitList;
import dev.spindle.internal.WaitOrigin;
import dev.spindle.internal.WaitSource;
import dev.spindle.internal.WaitSources;
import dev.spindle.messaging.Headroom;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** The protocol of a channel: who gets which value. */
final class ChannelCore<T> implements WaitSource {
    /*
     * Everything is under `lock`, which is never held while a thread waits or code of the user's runs. What has to be
     * done afterwards, telling those who were decided and forgetting keys, is noted and done after the release.
     *
     * ChannelCore-1  Receivers wait only while the buffer is empty, and senders only while it has no room for the first
     *     of them. A sender and a receiver both wait only if they are clauses of one select. For whoever comes looks at
     *     the other side first, and parks under the same lock; and whoever makes room, or leaves, lets senders in.
     * ChannelCore-2  Nobody overtakes those who wait, except a value whose key is pending while none of its key waits.
     * ChannelCore-3  A clause is taken from the queue, gets its value, and then its wait is committed (Wait-1). If that
     *     fails, since another clause was committed or the wait was withdrawn, the next one is tried.
     * ChannelCore-4  Whoever needs several locks, which is a select alone, takes them in the order of `id`.
     *
     * Tests: ChannelTest, ConflatingChannelTest, SelectTest, ChannelLincheckTest, BufferedChannelLincheckTest,
     * SelectLincheckTest; jcstress SendAgainstReceive, SelectAgainstSelect.
     */
    private static final AtomicLong IDS = new AtomicLong();

    final long id = IDS.incrementAndGet();
    private final ChannelLock lock = new ChannelLock();
    private final Buffer<T> buffer;
    private final WaitQueue<T> senders = new WaitQueue<>();
    private final WaitQueue<T> receivers = new WaitQueue<>();
    private boolean closed;
    private @Nullable Throwable cause; // written before `closed`, once
    private @Nullable Wait decided; // a chain of those that whoever holds the lock has decided
    private @Nullable Wait lastDecided;
    private volatile @Nullable Listing listing; // the spindles that list the waits of this; written by list()
    private @Nullable Set<Consumption<T>> consumers;
    private @Nullable Pool ending; // the last of those that were shut down and have consumers here
    private int due; // how many of the next values such consumers still take

    ChannelCore(Buffer<T> buffer) {
        this.buffer = buffer;
    }

    // ---------------------------------------------------------------- one clause

    @Nullable
    Object keyOf(T value) {
        return buffer.keyOf(value);
    }

    /**
     * Sends {@code value}; if that is not possible at once, parks {@code otherwise}, if any.
     *
     * @return false if it was not possible
     */
    boolean send(T value, @Nullable Object key, @Nullable Pending<T> otherwise) {
        if (otherwise != null) {
            begin(otherwise.wait);
        }
        for (; ; ) {
            KeySlot<T> slot = buffer.slotOf(key);
            boolean refused = false;
            enter();
            try {
                if (slot != null && slot.dead) {
                    continue;
                }
                refused = closed;
                if (!refused) {
                    if (trySend(value, slot)) {
                        return true;
                    }
                    if (otherwise != null) {
                        otherwise.slot = slot;
                        park(otherwise);
                    }
                }
                buffer.used(slot);
            } finally {
                exit();
            }
            if (refused) {
                throw closedException();
            }
            return false;
        }
    }

    /** Returns a value; null if there is none, and then parks {@code otherwise}, if any. */
    @Nullable
    T receive(@Nullable Pending<T> otherwise) {
        boolean ended;
        if (otherwise != null) {
            begin(otherwise.wait);
        }
        enter();
        try {
            T value = tryReceive();
            if (value != null) {
                return value;
            }
            ended = closed;
            if (!ended && otherwise != null) {
                park(otherwise);
            }
        } finally {
            exit();
        }
        if (ended) {
            throw closedException();
        }
        return null;
    }

    /** Puts back a value that was received and could not be used. */
    void giveBack(T value) {
        enter();
        try {
            if (!handOver(value)) {
                buffer.addFirst(value);
                due += ending == null ? 0 : 1;
            }
        } finally {
            exit();
        }
    }

    // ---------------------------------------------------------------- under the lock

    void enter() {
        lock.lock();
    }

    private void exit() {
        Wait done = unlock();
        tidy();
        Wait.tell(done);
    }

    /** Releases the lock; returns the waits that were decided under it, who have to be told. */
    @Nullable
    Wait unlock() {
        Wait done = decided;
        decided = null;
        lastDecided = null;
        lock.unlock();
        return done;
    }

    /** Returns whether a sender and a receiver have to meet. */
    boolean isRendezvous() {
        return buffer.isNone();
    }

    /** Forgets keys that are not used any more. Outside the lock. */
    void tidy() {
        buffer.tidy();
    }

    boolean isClosed() {
        return closed;
    }

    @Nullable
    KeySlot<T> slotOf(@Nullable Object key) {
        return buffer.slotOf(key);
    }

    void used(@Nullable KeySlot<T> slot) {
        buffer.used(slot);
    }

    /** Sends {@code value} if the channel, which is open, takes it at once. */
    boolean trySend(T value, @Nullable KeySlot<T> slot) {
        if (handOver(value)) {
            buffer.used(slot);
            return true;
        }
        boolean first = firstLive(senders) == null || (slot != null && slot.value != null && slot.waiting == 0);
        if (!first || !buffer.hasRoom(slot)) {
            return false;
        }
        buffer.add(value, slot);
        noteDue();
        return true;
    }

    /** Gives {@code value} to the first receiver that waits; false if none does. */
    private boolean handOver(T value) {
        for (Pending<T> receiver = firstLive(receivers); receiver != null; receiver = firstLive(receivers)) {
            takeOut(receiver);
            receiver.value = value;
            if (commit(receiver)) {
                return true;
            }
            receiver.value = null;
        }
        return false;
    }

    /** Returns a value, or null. */
    @Nullable
    T tryReceive() {
        T value = buffer.poll();
        if (value != null) {
            taken();
            letIn();
            return value;
        }
        for (Pending<T> sender = firstLive(senders); sender != null; sender = firstLive(senders)) {
            value = sender.value;
            takeOut(sender);
            if (commit(sender)) {
                sender.value = null;
                taken();
                return value;
            }
        }
        return null;
    }

    /** Lets in those who wait for room, as long as there is some. */
    private void letIn() {
        for (Pending<T> sender = firstLive(senders);
                sender != null && buffer.hasRoom(sender.slot);
                sender = firstLive(senders)) {
            T value = Objects.requireNonNull(sender.value);
            if (commit(sender)) {
                sender.value = null;
                buffer.add(value, sender.slot); // before its slot loses the last that waits
            }
            takeOut(sender);
        }
    }

    /** Returns the first of {@code queue} whose wait is open; removes those before it. */
    private @Nullable Pending<T> firstLive(WaitQueue<T> queue) {
        Pending<T> first = queue.peek();
        while (first != null && first.wait.isDecided()) {
            takeOut(first);
            first = queue.peek();
        }
        return first;
    }

    /** Removes {@code pending} from its queue, if it is there. */
    private void takeOut(Pending<T> pending) {
        if ((pending.sends ? senders : receivers).remove(pending)) {
            KeySlot<T> slot = pending.slot;
            if (slot != null) {
                slot.waiting--;
                buffer.used(slot);
            }
        }
    }

    private boolean commit(Pending<T> pending) {
        if (!pending.wait.commit(pending)) {
            return false;
        }
        if (lastDecided == null) {
            decided = pending.wait;
        } else {
            lastDecided.setNext(pending.wait);
        }
        lastDecided = pending.wait;
        return true;
    }

    /** Has {@code pending} wait, unless that was decided before it came to it. */
    void park(Pending<T> pending) {
        if (!pending.wait.isDecided()) {
            (pending.sends ? senders : receivers).add(pending);
            if (pending.slot != null) {
                pending.slot.waiting++;
            }
            if (pending.sends) {
                noteDue();
            }
        }
    }

    // ---------------------------------------------------------------- consumers after a shutdown

    /** Notes that one of the consumers on {@code pool} takes no more than what is here now. */
    void countDue(Pool pool) {
        enter();
        try {
            ending = pool;
            due = buffer.size() + senders.size();
        } finally {
            exit();
        }
    }

    /** Notes a value that may be due, since what a worker of the pool sends follows from what was accepted. */
    private void noteDue() {
        if (ending != null && ending.isWorking()) {
            due = buffer.size() + senders.size();
        }
    }

    private void taken() {
        if (due > 0) {
            due--;
        }
    }

    /**
     * Returns a value that is due. If there is none, and no other value either, parks {@code otherwise}, if it may
     * wait, and notes so in it.
     */
    @Nullable
    T receiveDue(Pending<T> otherwise, boolean mayWait) {
        boolean ended = false;
        begin(otherwise.wait);
        enter();
        try {
            if (due > 0) {
                T value = tryReceive();
                if (value != null) {
                    return value;
                }
                due = 0; // a sender has left
            }
            if (buffer.size() == 0 && firstLive(senders) == null) {
                ended = closed;
                if (!ended && mayWait) {
                    otherwise.parked = true;
                    park(otherwise);
                }
            }
        } finally {
            exit();
        }
        if (ended) {
            throw closedException();
        }
        return null;
    }

    // ---------------------------------------------------------------- leaving and closing

    /** Removes a clause of a wait that is decided; returns the waits that this has decided, who have to be told. */
    @Nullable
    Wait remove(Pending<T> pending) {
        Wait done;
        enter();
        try {
            takeOut(pending);
            letIn(); // it may have kept back one whose key is pending
        } finally {
            done = unlock();
        }
        tidy();
        return done;
    }

    /** Closes it for senders, and for the receivers that wait. */
    void close(@Nullable Throwable why) {
        enter();
        try {
            end(why);
        } finally {
            exit();
        }
    }

    /** Closes it for all, and returns what it holds. */
    List<T> cancel() {
        List<T> undelivered = new ArrayList<>();
        enter();
        try {
            end(null);
            refuse(senders);
            buffer.drainTo(undelivered);
        } finally {
            exit();
        }
        return undelivered;
    }

    private void end(@Nullable Throwable why) {
        if (!closed) {
            cause = why;
            closed = true;
            refuse(receivers);
        }
    }

    private void refuse(WaitQueue<T> queue) {
        for (Pending<T> pending = firstLive(queue); pending != null; pending = firstLive(queue)) {
            takeOut(pending);
            pending.closed = true;
            if (!commit(pending)) {
                pending.closed = false;
            }
        }
    }

    /** Returns a new exception for an operation on this channel, which was closed. */
    ChannelClosedException closedException() {
        return new ChannelClosedException(this + " is closed", cause);
    }

    // ---------------------------------------------------------------- seen from outside

    int size() {
        return count(Count.VALUES);
    }

    int waitingSenders() {
        return count(Count.SENDERS);
    }

    int waitingReceivers() {
        return count(Count.RECEIVERS);
    }

    /** Adds one that waits for values unless it handles one; {@code waits} is the list of its spindle. */
    void add(Consumption<T> consumer, WaitSources waits) {
        list(waits);
        enter();
        try {
            if (consumers == null) {
                consumers = new HashSet<>(4);
            }
            consumers.add(consumer);
        } finally {
            exit();
        }
    }

    void remove(Consumption<T> consumer) {
        enter();
        try {
            if (consumers != null) {
                consumers.remove(consumer);
            }
        } finally {
            exit();
        }
    }

    private void begin(Wait wait) {
        wait.begin();
        list(wait);
    }

    /** Has the spindle of {@code wait} list the waits of this. Before it is parked, since this may fail. */
    void list(Wait wait) {
        WaitSources waits = wait.list();
        if (waits != null) {
            list(waits);
        }
    }

    private void list(WaitSources waits) {
        if (!Listing.has(listing, waits)) {
            synchronized (this) { // a select holds the lock here, others do not
                listing = Listing.with(waits, listing, this);
            }
        }
    }

    @Override
    public void listWaits(WaitList list) {
        Headroom.require();
        enter();
        try {
            Pending<T> oldest = firstLive(senders);
            for (Pending<T> sender = oldest; sender != null; sender = sender.after) {
                WaitOrigin from = sender.wait.origin();
                if (from != null) {
                    list.room(from, this, sender.wait.since(list.now()));
                }
            }
            for (Pending<T> receiver = firstLive(receivers); receiver != null; receiver = receiver.after) {
                WaitOrigin from = receiver.wait.origin();
                if (from != null) {
                    list.value(from, this, receiver.wait.since(list.now()));
                }
            }
            if (oldest != null && consumers != null) { // they handle values (ChannelCore-1)
                for (Consumption<T> consumer : consumers) {
                    list.room(this, consumer.strand(), oldest.wait.since(list.now()));
                }
            }
        } finally {
            exit();
        }
    }

    private enum Count {
        VALUES,
        SENDERS,
        RECEIVERS
    }

    private int count(Count what) {
        Headroom.require();
        enter();
        try {
            return what == Count.VALUES ? buffer.size() : what == Count.SENDERS ? senders.size() : receivers.size();
        } finally {
            exit();
        }
    }

    boolean readClosed() {
        Headroom.require();
        enter();
        try {
            return closed;
        } finally {
            exit();
        }
    }

    @Override
    public String toString() {
        return "channel " + id + " (" + buffer + ")";
    }
}
