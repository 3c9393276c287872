// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.timer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.internal.Pool.Added;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Random operations on the timers and on a sorted set, which must agree; a failure names the seed. */
class TimersModelTest {
    private static final int OPERATIONS = 20_000;

    /** A timer with its state in the model, in nanoseconds since the start, which do not wrap around. */
    private final class Modelled extends TestTimer {
        private final int id;
        private long time;
        private long order;
        private int again;

        Modelled(int id) {
            this.id = id;
        }

        @Override
        void fired() {
            assertThat(expected.pollFirst()).as(failure).isSameAs(this);
            assertThat(time).as(failure).isLessThanOrEqualTo(now);
            if (again-- > 0) {
                add(this, Math.max(0, now + random.nextLong(-100, 2_000_000)));
            } else {
                free.add(this);
            }
        }

        @Override
        public String toString() {
            return id + " due " + time;
        }
    }

    private final TreeSet<Modelled> expected =
            new TreeSet<>(Comparator.<Modelled>comparingLong(t -> t.time).thenComparingLong(t -> t.order));
    private final List<Modelled> free = new ArrayList<>();
    private SplittableRandom random = new SplittableRandom();
    private Supplier<String> failure = () -> "";
    private Timers timers = new Timers(0);
    private long start;
    private long now;
    private long numbers;
    private long promised = Long.MAX_VALUE;
    private int made;
    private boolean exact;

    @ParameterizedTest
    @CsvSource({
        "1, 0, 256, 128",
        "2, 9223372036854775807, 1, 0",
        "3, 9223372036854775000, 2, 1",
        "4, -9223372036854775808, 3, 1000000",
        "5, 9223371036854775807, 256, 128",
        "6, -1, 1, 2",
        "7, 1234567890123456789, 1000000, 1000000"
    })
    void operations_random_doWhatASortedSetDoes(long seed, long first, int piece, int scan) {
        random = new SplittableRandom(seed);
        start = first;
        timers = new Timers(first, piece, scan);
        exact = scan > OPERATIONS;
        for (int i = 0; i < OPERATIONS; i++) {
            int operation = i;
            failure = () -> "seed " + seed + ", operation " + operation;
            switch (random.nextInt(10)) {
                case 0, 1, 2, 3, 4 -> add();
                case 5, 6 -> remove();
                case 7 -> promise();
                default -> fire();
            }
            assertThat(timers.isEmpty()).as(failure).isEqualTo(expected.isEmpty());
        }
        now = Long.MAX_VALUE - 1;
        TestTimer.fire(timers, start + now);
        assertThat(expected).as(failure).allMatch(t -> t.time == Long.MAX_VALUE);
    }

    private void add() {
        Modelled timer = free.isEmpty() ? new Modelled(made++) : free.remove(free.size() - 1);
        timer.again = random.nextInt(8) == 0 ? random.nextInt(4) : 0;
        long delay = random.nextLong() >>> random.nextInt(1, 64);
        if (random.nextInt(4) == 0 && !expected.isEmpty()) {
            delay = expected.last().time - now; // the due time of another timer
        }
        long time = now + delay;
        add(timer, time < 0 ? Long.MAX_VALUE : time);
    }

    private void add(Modelled timer, long time) {
        boolean none = expected.isEmpty();
        timer.time = time;
        timer.order = numbers++;
        expected.add(timer);
        Added added = timers.add(timer, start + time);
        if (time < promised) {
            assertThat(added).as(failure).isEqualTo(Added.EARLIER);
            promised = time;
        } else if (none) {
            assertThat(added).as(failure).isNotEqualTo(Added.LATER);
        }
    }

    private void remove() {
        if (expected.isEmpty()) {
            return;
        }
        Modelled pivot = new Modelled(-1);
        pivot.time = random.nextBoolean() ? now : random.nextLong() >>> random.nextInt(1, 64);
        Modelled timer = expected.ceiling(pivot);
        timer = timer == null ? expected.first() : timer;
        expected.remove(timer);
        assertThat(timers.remove(timer)).as(failure).isTrue();
        assertThat(timers.remove(timer)).as(failure).isFalse();
        free.add(timer);
    }

    private void promise() {
        long wait = timers.untilNext(start + now);
        promised = wait == Long.MAX_VALUE ? Long.MAX_VALUE : now + wait;
        if (!expected.isEmpty()) {
            assertThat(wait).as(failure).isLessThanOrEqualTo(Math.max(0, expected.first().time - now));
            if (exact) {
                assertThat(wait).as(failure).isEqualTo(Math.max(0, expected.first().time - now));
            }
        }
    }

    private void fire() {
        if (random.nextInt(3) > 0 && !expected.isEmpty()) {
            now = Math.max(now, expected.first().time - random.nextInt(2));
        } else {
            long later = now + (random.nextLong() >>> random.nextInt(10, 64));
            now = later < 0 || later > Long.MAX_VALUE / 2 ? now : later;
        }
        TestTimer.fire(timers, start + now);
        assertThat(expected.isEmpty() || expected.first().time > now)
                .as(failure)
                .isTrue();
    }
}
