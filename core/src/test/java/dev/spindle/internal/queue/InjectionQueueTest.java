// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.ref.Reference;
import java.lang.ref.WeakReference;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@SuppressWarnings({"NullAway", "ReachabilityFenceUsage"}) // the fields read by reflection exist
class InjectionQueueTest {
    @Test
    void create_segmentOfNothing_isRefused() {
        assertThatThrownBy(() -> new InjectionQueue(0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("0");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 1024})
    void poll_acrossSegments_keepsTheOrder(int segmentSize) {
        InjectionQueue queue = filled(segmentSize, 10);

        for (int i = 0; i < 10; i++) {
            assertThat(queue.poll()).isEqualTo(i);
        }
        assertThat(queue.poll()).isNull();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 1024})
    void offer_afterEmptyPolls_isFound(int segmentSize) {
        InjectionQueue queue = new InjectionQueue(segmentSize);
        for (int i = 0; i < 10; i++) {
            assertThat(queue.poll()).isNull();
            queue.offer(i);
            assertThat(queue.isEmpty()).isFalse();
            assertThat(queue.poll()).isEqualTo(i);
            assertThat(queue.poll()).isNull();
            assertThat(queue.isEmpty()).isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 1024})
    void estimatedCount_alone_isExact(int segmentSize) {
        InjectionQueue queue = new InjectionQueue(segmentSize);
        assertThat(queue.estimatedCount(e -> true)).isZero();
        for (int i = 0; i < 5; i++) {
            queue.offer(i);
            assertThat(queue.estimatedCount(e -> true)).isEqualTo(i + 1);
        }
        for (int i = 4; i >= 0; i--) {
            queue.poll();
            assertThat(queue.estimatedCount(e -> true)).isEqualTo(i);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 1024})
    void remove_fromTheMiddle_leavesTheOthersInOrder(int segmentSize) {
        InjectionQueue queue = new InjectionQueue(segmentSize);
        List<Object> entries = List.of(new Object(), new Object(), new Object(), new Object());
        entries.forEach(queue::offer);

        assertThat(remove(queue, entries.get(1))).isTrue();
        assertThat(remove(queue, entries.get(1))).isFalse();
        assertThat(drained(queue)).containsExactly(entries.get(0), entries.get(2), entries.get(3));
    }

    @Test
    void remove_equalEntry_goesByIdentity() {
        InjectionQueue queue = new InjectionQueue(2);
        queue.offer(List.of(1));

        assertThat(remove(queue, List.of(1))).isFalse();
        assertThat(queue.isEmpty()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 1024})
    void remove_theOnlyEntry_leavesAnEmptyQueueThatGoesOn(int segmentSize) {
        InjectionQueue queue = new InjectionQueue(segmentSize);
        Object entry = new Object();
        queue.offer(entry);
        remove(queue, entry);

        assertThat(queue.poll()).isNull();
        assertThat(queue.isEmpty()).isTrue();
        queue.offer("next");
        assertThat(queue.poll()).isEqualTo("next");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 1024})
    void removeFirst_severalAccepted_takesTheOldest(int segmentSize) {
        InjectionQueue queue = filled(segmentSize, 6);
        queue.poll();

        assertThat(queue.removeFirst(e -> (int) e % 2 == 0)).isEqualTo(2);
        assertThat(queue.removeFirst(e -> (int) e > 10)).isNull();
        assertThat(drained(queue)).containsExactly(1, 3, 4, 5);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 64})
    void u3_passedSegment_keepsNoLaterEntryAlive(int segmentSize) {
        InjectionQueue queue = new InjectionQueue(segmentSize);
        List<Object> passed = new ArrayList<>();
        for (int i = 0; i < 100 * segmentSize; i++) {
            passed.add(segment(queue, "head"));
            passed.add(segment(queue, "tail"));
            queue.offer(i);
            queue.poll();
        }
        WeakReference<Object> later = new WeakReference<>(segment(queue, "head"));
        for (int i = 0; i < 3 * segmentSize; i++) {
            queue.offer(i);
            queue.poll();
        }
        Object last = segment(queue, "head");
        passed.removeIf(segment -> segment == later.get() || segment == last);

        assertThat(passed).isNotEmpty();
        assertThat(isCollected(later)).as("the segment that followed").isTrue();
        Reference.reachabilityFence(passed);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 1024})
    void removeOldest_amongOthersThatArePolled_takesEachInOrder(int segmentSize) {
        InjectionQueue queue = new InjectionQueue(segmentSize);
        List<Object> removed = new ArrayList<>();
        List<Object> polled = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            queue.offer(i % 3 == 0 ? "other " + i : i);
            if (i % 4 == 3) {
                removed.add(queue.removeOldest(Integer.class::isInstance));
            }
            if (i % 7 == 6) {
                polled.add(queue.poll());
            }
        }
        for (Object e = queue.removeOldest(Integer.class::isInstance);
                e != null;
                e = queue.removeOldest(Integer.class::isInstance)) {
            removed.add(e);
        }
        assertThat(queue.removeOldest(Integer.class::isInstance)).isNull();
        queue.offer(100);
        assertThat(queue.removeOldest(Integer.class::isInstance)).isEqualTo(100);
        polled.addAll(drained(queue));
        assertThat(removed).isSortedAccordingTo((a, b) -> Integer.compare((int) a, (int) b));
        assertThat(removed.size() + polled.size()).isEqualTo(60);
        assertThat(polled).doesNotContainAnyElementsOf(removed);
        assertThat(queue.isEmpty()).isTrue();
    }

    /** A producer has claimed a slot but not written it yet. The next walk looks at that slot again. */
    @Test
    void removeOldest_slotThatIsWrittenLate_isFoundByTheNext() throws ReflectiveOperationException {
        InjectionQueue queue = new InjectionQueue(8);
        queue.offer("first");
        Object segment = segment(queue, "head");
        Field enqueued = null;
        Field slots = null;
        for (Class<?> c = segment.getClass(); c != null; c = c.getSuperclass()) {
            for (Field f : c.getDeclaredFields()) {
                enqueued = f.getName().equals("enqueued") ? f : enqueued;
                slots = f.getName().equals("slots") ? f : slots;
            }
        }
        enqueued.setAccessible(true);
        slots.setAccessible(true);
        enqueued.set(segment, 2L);
        queue.offer("third");
        assertThat(queue.removeOldest("third"::equals)).isEqualTo("third");
        ((Object[]) slots.get(segment))[1] = "second";
        assertThat(queue.removeOldest("second"::equals)).isEqualTo("second");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void u3_removedInTheMiddle_segmentsAreUnlinked(boolean oldest) {
        InjectionQueue queue = new InjectionQueue(2);
        queue.offer("stays");
        for (int i = 0; i < 1_000; i++) {
            queue.offer(i);
            assertThat(
                            oldest
                                    ? queue.removeOldest(Integer.class::isInstance)
                                    : queue.removeFirst(Integer.class::isInstance))
                    .isEqualTo(i);
        }
        int segments = 0;
        for (Object s = segment(queue, "head"); s != null; s = segment(s, "next")) {
            segments++;
        }

        assertThat(segments).isLessThanOrEqualTo(3);
        assertThat(drained(queue)).containsExactly("stays");
        assertThat(queue.isEmpty()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 64})
    void u2_removedAtTheFront_theBeginMovesOn(int segmentSize) {
        InjectionQueue queue = new InjectionQueue(segmentSize);
        for (int i = 0; i < 10; i++) {
            queue.offer(i);
        }
        for (int i = 0; i < 9; i++) {
            assertThat(queue.removeFirst(e -> true)).isEqualTo(i);
        }

        assertThat(queue.estimatedBegin()).isEqualTo(9);
        assertThat(queue.estimatedCount(e -> true)).isEqualTo(1);
        assertThat(queue.poll()).isEqualTo(9);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 1024})
    void removeAll_someAccepted_takesThemInOrderAndLeavesTheOthers(int segmentSize) {
        InjectionQueue queue = filled(segmentSize, 10);
        queue.poll();
        ArrayList<Object> removed = new ArrayList<>();

        queue.removeAll(e -> (int) e % 3 != 0, removed);
        queue.offer(10);

        assertThat(removed).containsExactly(1, 2, 4, 5, 7, 8);
        assertThat(drained(queue)).containsExactly(3, 6, 9, 10);
    }

    @Test
    @Timeout(value = 20, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void poll_tailLeftBehindByItsProducer_isMovedBeforeTheHeadPasses() throws ReflectiveOperationException {
        InjectionQueue queue = new InjectionQueue(1);
        queue.offer("a");
        Object first = segment(queue, "tail");
        queue.offer("b");
        Field tail = InjectionQueue.class.getDeclaredField("tail");
        tail.setAccessible(true);
        tail.set(queue, first); // the producer is between two instructions

        assertThat(queue.poll()).isEqualTo("a");
        assertThat(queue.poll()).isEqualTo("b");
        queue.offer("c");
        assertThat(drained(queue)).containsExactly("c");
    }

    private static boolean isCollected(WeakReference<?> reference) {
        for (int i = 0; i < 100 && reference.get() != null; i++) {
            System.gc();
        }
        return reference.get() == null;
    }

    private static @Nullable Object segment(Object from, String field) {
        try {
            for (Class<?> c = from.getClass(); c != Object.class; c = c.getSuperclass()) {
                for (Field f : c.getDeclaredFields()) {
                    if (f.getName().equals(field)) {
                        f.setAccessible(true);
                        return f.get(from);
                    }
                }
            }
        } catch (IllegalAccessException e) {
            throw new AssertionError(e);
        }
        throw new AssertionError("no field " + field);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 64})
    void poll_manyProducersAndConsumers_takesEachOnceInTheOrderOfItsProducer(int segmentSize) throws Exception {
        int producers = 2;
        int consumers = 2;
        int each = 20_000;
        InjectionQueue queue = new InjectionQueue(segmentSize);
        CountDownLatch left = new CountDownLatch(producers * each);
        List<FutureTask<List<Item>>> takers = new ArrayList<>();
        for (int c = 0; c < consumers; c++) {
            takers.add(started(new FutureTask<>(() -> takeUntilNoneIsLeft(queue, left))));
        }
        List<FutureTask<Integer>> givers = new ArrayList<>();
        for (int p = 0; p < producers; p++) {
            int producer = p;
            givers.add(started(new FutureTask<>(() -> {
                for (int i = 0; i < each; i++) {
                    queue.offer(new Item(producer, i));
                }
                return each;
            })));
        }

        for (FutureTask<Integer> giver : givers) {
            giver.get(60, TimeUnit.SECONDS);
        }
        int taken = 0;
        for (FutureTask<List<Item>> taker : takers) {
            int[] last = new int[producers];
            for (Item item : taker.get(60, TimeUnit.SECONDS)) {
                assertThat(item.number()).isGreaterThanOrEqualTo(last[item.producer()]);
                last[item.producer()] = item.number() + 1;
                taken++;
            }
        }
        assertThat(taken).isEqualTo(producers * each);
        assertThat(queue.isEmpty()).isTrue();
    }

    private record Item(int producer, int number) {}

    private static List<Item> takeUntilNoneIsLeft(InjectionQueue queue, CountDownLatch left) {
        List<Item> items = new ArrayList<>();
        while (left.getCount() > 0) {
            if (queue.poll() instanceof Item item) {
                items.add(item);
                left.countDown();
            } else {
                Thread.yield();
            }
        }
        return items;
    }

    private static <T> FutureTask<T> started(FutureTask<T> task) {
        Thread thread = new Thread(task, "queue-test");
        thread.setDaemon(true);
        thread.start();
        return task;
    }

    private static InjectionQueue filled(int segmentSize, int entries) {
        InjectionQueue queue = new InjectionQueue(segmentSize);
        for (int i = 0; i < entries; i++) {
            queue.offer(i);
        }
        return queue;
    }

    private static List<Object> drained(InjectionQueue queue) {
        List<Object> all = new ArrayList<>();
        for (Object entry = queue.poll(); entry != null; entry = queue.poll()) {
            all.add(entry);
        }
        return all;
    }

    private static boolean remove(InjectionQueue queue, Object entry) {
        return queue.removeFirst(e -> e == entry) != null;
    }

    @Test
    void batch_amongOthers_isOneEntryForPollsAndSeveralForCountsAndRemovals() {
        InjectionQueue queue = new InjectionQueue();
        Batch batch = new Batch("b", 4);
        queue.offer("a");
        queue.offer(batch);
        batch.add("c");
        batch.add("d");

        assertThat(queue.estimatedEnd()).isEqualTo(2);
        assertThat(queue.estimatedCount(e -> true)).isEqualTo(4);
        assertThat(queue.removeFirst("c"::equals)).isEqualTo("c");
        ArrayList<Object> removed = new ArrayList<>();
        queue.removeAll(e -> !e.equals("b"), removed);
        assertThat(removed).containsExactly("a", "d");
        assertThat(queue.poll()).isSameAs(batch);
        assertThat(batch.poll()).isEqualTo("b");
    }
}
