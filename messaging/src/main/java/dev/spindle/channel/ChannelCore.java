// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.channel;

import dev.spindle.Stats;
import dev.spindle.internal.Headroom;
import dev.spindle.internal.OrderedSet;
import dev.spindle.internal.Pool;
import dev.spindle.internal.SpindlePart;
import dev.spindle.internal.SpindleParts;
import dev.spindle.internal.WaitList;
import dev.spindle.internal.WaitOrigin;
import dev.spindle.internal.report.Figures;
import dev.spindle.internal.wait.WaitQueue;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** The state of a channel: its buffer and its waiting senders and receivers, under one lock. */
final class ChannelCore<T> implements SpindlePart {
    /*
     * `lock` guards all fields except `registered`. Without the lock, any thread may read `closed`, and may replace
     * values of a conflating buffer (ConflatingBuffer-3). No thread waits or runs user code while it holds the lock. A
     * thread that has decided waits under the lock completes these waits, and removes unused keys, after the release.
     *
     * ChannelCore-1  Receivers wait only while the buffer is empty, senders only while the buffer has no room for the
     *     first sender, and both at once only as clauses of one select. A clause checks for a partner and parks under
     *     the same lock; a thread that makes room, by a receive or by removing a clause, admits senders.
     * ChannelCore-2  No call overtakes a waiting call, except a send that replaces an unreceived value while no other
     *     value with the same key waits.
     * ChannelCore-3  A receiver gets its value before the commit of its wait (Wait-3). If a commit fails, because
     *     another clause was committed or the wait was withdrawn, the thread tries the next clause of the queue.
     * ChannelCore-4  A select, the only operation that holds several channel locks, takes them in the order of `id`.
     *
     * Tests: ChannelTest, ConflatingChannelTest, SelectTest, ChannelLincheckTest, BufferedChannelLincheckTest,
     * SelectLincheckTest; jcstress SendAgainstReceive (ChannelCore-1), SelectAgainstSelect (ChannelCore-4).
     */
    private static final AtomicLong IDS = new AtomicLong();

    final long id = IDS.incrementAndGet();
    final String name;
    private final ChannelLock lock = new ChannelLock();
    private final Buffer<T> buffer;
    private final WaitQueue<Pending<T>> senders = new WaitQueue<>();
    private final WaitQueue<Pending<T>> receivers = new WaitQueue<>();
    private volatile boolean closed; // written under the lock
    private @Nullable Throwable cause; // written before `closed`, once
    private @Nullable Wait decided; // a chain of the waits that the holder of the lock has decided
    private @Nullable Wait lastDecided;
    private volatile @Nullable RegisteredSpindles registered; // the spindles that list the waits of this channel
    private volatile @Nullable OrderedSet<ChannelConsumer<T>> consumers; // created under the lock
    private @Nullable Pool ending; // the last pool that was shut down while this channel had consumers on it
    private long received; // the number of values that receivers have got
    private long halted; // the number of values that a halt has removed
    private boolean isHalted;
    private int due; // the number of values that the consumers of `ending` still take

    ChannelCore(String name, Buffer<T> buffer) {
        this.name = name;
        this.buffer = buffer;
    }

    // ---------------------------------------------------------------- one clause

    @Nullable
    Object keyOf(T value) {
        return buffer.keyOf(value);
    }

    /**
     * Sends {@code value} if this is possible at once. If it is not, and {@code otherwise} is not null, parks the
     * clause {@code otherwise}.
     *
     * @return whether the value was sent
     */
    boolean send(T value, @Nullable Object key, @Nullable Pending<T> otherwise) {
        if (otherwise != null) {
            begin(otherwise.wait);
        }
        for (; ; ) {
            KeySlot<T> slot = buffer.slotOf(key);
            if (slot != null && otherwise == null && !closed && buffer.replace(slot, value)) {
                return true;
            }
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

    /**
     * Receives a value, or returns null if there is none. If there is none, the channel is open, and {@code otherwise}
     * is not null, parks the clause {@code otherwise}.
     *
     * @throws ChannelClosedException if there is no value and the channel is closed
     */
    @Nullable
    T receive(@Nullable Pending<T> otherwise) {
        boolean ended;
        Object value;
        if (otherwise != null) {
            begin(otherwise.wait);
        }
        enter();
        try {
            value = tryReceive();
            ended = closed;
            if (value == null && !ended && otherwise != null) { // ChannelCore-1
                park(otherwise);
            }
        } finally {
            exit();
        }
        return value == null ? none(ended) : buffer.resolve(value);
    }

    private @Nullable T none(boolean ended) {
        if (ended) {
            throw closedException();
        }
        return null;
    }

    /**
     * Moves up to {@code most} values to {@code to}. Returns their number; -1 if {@code most} is above 0, the channel
     * is closed, and every value was received.
     */
    int drainTo(Collection<? super T> to, int most) {
        List<Object> taken = new ArrayList<>();
        boolean ended;
        enter();
        try {
            Object value = null;
            while (taken.size() < most && (value = tryReceive()) != null) {
                taken.add(value);
            }
            ended = taken.isEmpty() && most > 0 && closed;
        } finally {
            exit();
        }
        taken.forEach(value -> to.add(buffer.resolve(value)));
        return ended ? -1 : taken.size();
    }

    /** Does what {@link Buffer#resolve} does. */
    T resolve(Object polled) {
        return buffer.resolve(polled);
    }

    /**
     * Passes a value that was received and could not be handled to a waiting receiver, or puts the value back. Returns
     * false if the channel was halted.
     */
    boolean giveBack(T value) {
        enter();
        try {
            received--;
            halted += isHalted ? 1 : 0;
            if (!isHalted && !handOver(value)) {
                buffer.addFirst(value);
                due += ending == null ? 0 : 1;
            }
            return !isHalted;
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
        tidy(); // ConflatingBuffer-1
        Wait.tell(done);
    }

    /** Releases the lock. Returns the waits that its holder has decided, for {@link Wait#tell}. */
    @Nullable
    Wait unlock() {
        Wait done = decided;
        decided = null;
        lastDecided = null;
        lock.unlock();
        return done;
    }

    /** Returns true if this is a rendezvous channel. */
    boolean isRendezvous() {
        return buffer.capacity() == 0;
    }

    /** Removes unused keys. Called without the lock. */
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

    /** Sends {@code value} if a receiver or the buffer takes it at once. Called while the channel is open. */
    boolean trySend(T value, @Nullable KeySlot<T> slot) {
        if (handOver(value)) {
            buffer.remember(slot);
            return true;
        }
        boolean first = firstLive(senders) == null || (slot != null && slot.value != null && slot.waiting == 0);
        if (!first || !buffer.hasRoom(slot)) { // ChannelCore-2
            return false;
        }
        buffer.add(value, slot);
        noteDue();
        return true;
    }

    /** Hands {@code value} to the first waiting receiver; returns false if none waits. */
    private boolean handOver(T value) {
        for (Pending<T> receiver = firstLive(receivers); receiver != null; receiver = firstLive(receivers)) {
            takeOut(receiver);
            receiver.value = value; // Wait-3
            if (commit(receiver)) {
                received++;
                return true;
            }
            receiver.value = null; // ChannelCore-3
        }
        return false;
    }

    /** Receives a value, which the caller passes to {@link #resolve}; null if there is none. */
    @Nullable
    Object tryReceive() {
        Object value = buffer.poll();
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

    /** Admits waiting senders while there is room. */
    private void letIn() {
        for (Pending<T> sender = firstLive(senders);
                sender != null && buffer.hasRoom(sender.slot);
                sender = firstLive(senders)) {
            T value = sender.toSend();
            if (commit(sender)) {
                sender.value = null;
                buffer.add(value, sender.slot); // before takeOut, which would discard a slot without a value
            }
            takeOut(sender);
        }
    }

    /** Returns the first clause of {@code queue} whose wait is undecided; removes the clauses before it. */
    private @Nullable Pending<T> firstLive(WaitQueue<Pending<T>> queue) {
        Pending<T> first = queue.first();
        while (first != null && first.wait.isDecided()) {
            takeOut(first);
            first = queue.first();
        }
        return first;
    }

    /** Removes {@code pending} from its queue if it is queued. */
    @SuppressWarnings("NonAtomicVolatileUpdate") // all updates are made under the lock
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

    /** Adds {@code pending} to its queue, unless its wait was decided already. */
    @SuppressWarnings("NonAtomicVolatileUpdate") // all updates are made under the lock
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

    /**
     * Called after a shutdown of {@code pool}. The consumers on {@code pool} then take no more values than the channel
     * and the waiting senders have now.
     */
    void countDue(Pool pool) {
        enter();
        try {
            ending = pool;
            due = buffer.size() + senders.size();
        } finally {
            exit();
        }
    }

    /**
     * Called after a send. Counts the due values again if the sender is a worker of {@code ending}: its value is due.
     */
    private void noteDue() {
        if (ending != null && ending.isWorking()) {
            due = buffer.size() + senders.size();
        }
    }

    private void taken() {
        received++;
        if (due > 0) { // ChannelConsumer-2
            due--;
        }
    }

    /**
     * Receives a value that is due; null if there is none. If the channel is open and has no value and no waiting
     * sender, and {@code mayWait} is true, parks the clause {@code otherwise} and sets its {@code parked} field.
     */
    @Nullable
    T receiveDue(Pending<T> otherwise, boolean mayWait) {
        boolean ended = false;
        Object value = null;
        begin(otherwise.wait);
        enter();
        try {
            if (due > 0) {
                value = tryReceive();
                due = value == null ? 0 : due; // null: a waiting sender that was counted has withdrawn
            }
            if (value == null && buffer.size() == 0 && firstLive(senders) == null) {
                ended = closed;
                if (!ended && mayWait) {
                    otherwise.parked = true;
                    park(otherwise);
                }
            }
        } finally {
            exit();
        }
        return value == null ? none(ended) : buffer.resolve(value);
    }

    // ---------------------------------------------------------------- leaving and closing

    /** Removes a clause whose wait is decided. Returns the waits that the removal decides, for {@link Wait#tell}. */
    @Nullable
    Wait remove(Pending<T> pending) {
        Wait done;
        enter();
        try {
            takeOut(pending); // Wait-2
            letIn(); // the removed clause may have kept back a sender that needs no room, since its key is pending
        } finally {
            done = unlock();
        }
        tidy();
        return done;
    }

    /** Closes the channel for senders, and ends the waiting receivers. */
    void close(@Nullable Throwable why) {
        enter();
        try {
            end(why);
        } finally {
            exit();
        }
    }

    /** Closes the channel, ends all waits, and returns the values of the buffer. */
    List<T> halt() {
        List<Object> undelivered = new ArrayList<>();
        enter();
        try {
            isHalted = true;
            end(null);
            refuse(senders); // C1
            for (Object value = buffer.poll(); value != null; value = buffer.poll()) {
                undelivered.add(value);
            }
            halted += undelivered.size();
        } finally {
            exit();
        }
        return undelivered.stream().map(buffer::resolve).toList();
    }

    /** Returns the consumers that have not ended. */
    List<ChannelConsumer<T>> consumers() {
        OrderedSet<ChannelConsumer<T>> all = consumers;
        return all == null ? List.of() : all.inOrder();
    }

    private void end(@Nullable Throwable why) {
        if (!closed) {
            cause = why;
            closed = true;
            refuse(receivers);
        }
    }

    private void refuse(WaitQueue<Pending<T>> queue) {
        for (Pending<T> pending = firstLive(queue); pending != null; pending = firstLive(queue)) {
            takeOut(pending);
            pending.closed = true;
            if (!commit(pending)) {
                pending.closed = false;
            }
        }
    }

    ChannelClosedException closedException() {
        return new ChannelClosedException(this + " is closed", cause);
    }

    // ---------------------------------------------------------------- state

    Stats stats() {
        Headroom.requireTwice();
        enter();
        try {
            int pending = buffer.size();
            long accepted = received + pending + halted;
            return new Figures(
                    name, accepted, received, 0, 0, halted, 0, 0, pending, 0, buffer.capacity(), Integer.MAX_VALUE);
        } finally {
            exit();
        }
    }

    int waitingSenders() {
        return count(senders);
    }

    int waitingReceivers() {
        return count(receivers);
    }

    private int count(WaitQueue<Pending<T>> queue) {
        enter();
        try {
            return queue.size();
        } finally {
            exit();
        }
    }

    void add(ChannelConsumer<T> consumer, SpindleParts waits) {
        list(waits);
        enter();
        try {
            consumers = consumers == null ? new OrderedSet<>() : consumers;
            consumers.add(consumer);
        } finally {
            exit();
        }
    }

    void remove(ChannelConsumer<T> consumer) {
        OrderedSet<ChannelConsumer<T>> all = consumers;
        boolean unused = all != null && all.remove(consumer);
    }

    private void begin(Wait wait) {
        wait.begin();
        list(wait);
    }

    /** Registers this channel with the spindle of {@code wait}. Called before the park, since this may fail. */
    void list(Wait wait) {
        list(wait.list());
    }

    private void list(@Nullable SpindleParts waits) {
        if (waits != null && !RegisteredSpindles.has(registered, waits)) {
            synchronized (this) { // not `lock`, which a select already holds here
                registered = RegisteredSpindles.with(waits, registered, this);
            }
        }
    }

    @Override
    public void listFigures(FigureList list) {
        if (!isDone()) {
            list.add(Kind.CHANNEL, null, stats());
        }
    }

    @Override
    public void listWaits(WaitList list) {
        Headroom.requireTwice();
        enter();
        try {
            Pending<T> oldest = firstLive(senders);
            for (Pending<T> sender : senders.toList()) {
                WaitOrigin from = sender.wait.origin();
                if (from != null) {
                    list.room(from, this, sender.wait.since(list.now()));
                }
            }
            Pending<T> unused = firstLive(receivers);
            for (Pending<T> receiver : receivers.toList()) {
                WaitOrigin from = receiver.wait.origin();
                if (from != null) {
                    list.value(from, this, receiver.wait.since(list.now()));
                }
            }
            if (oldest != null) { // no consumer waits, so each handles a value (ChannelCore-1)
                for (ChannelConsumer<T> consumer : consumers()) {
                    list.room(this, consumer.lane(), oldest.wait.since(list.now()));
                }
            }
        } finally {
            exit();
        }
    }

    /** Returns whether this channel is closed and has no value and no waiting sender. */
    boolean isDone() {
        Headroom.requireTwice();
        enter();
        try {
            return closed && buffer.size() == 0 && firstLive(senders) == null;
        } finally {
            exit();
        }
    }

    @Override
    public String toString() {
        return "channel " + name + " (" + buffer + ")";
    }
}
