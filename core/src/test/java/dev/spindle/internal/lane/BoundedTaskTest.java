// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.lane;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.internal.HandScheduler;
import dev.spindle.internal.limit.CountedPermits;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class BoundedTaskTest {
    private final HandScheduler scheduler = new HandScheduler();
    private final LaneTable table = new LaneTable(scheduler, Integer.MAX_VALUE, () -> {}, lane -> {});
    private final LaneSpace keys = table.add(new LaneSpace(table, "keys"));
    private final LaneCore lane = keys.lane("a");
    private final CountedPermits own = new CountedPermits(0);
    private final CountedPermits all = new CountedPermits(0);
    private final List<Object> ran = new ArrayList<>();

    @Test
    void turn_boundedTask_givesItsPlacesBackBeforeItRuns() {
        lane.push(new BoundedTask(() -> ran.add(own.free() + all.free()), own, all));
        scheduler.drain();

        assertThat(ran).containsExactly(2);
    }

    @Test
    void withdraw_twice_givesThePlaceBackOnce() {
        Runnable task = () -> {};
        BoundedTask node = new BoundedTask(task, own, null);

        assertThat(node.withdraw()).isSameAs(task);
        assertThat(node.withdraw()).isNull();
        assertThat(own.free()).isEqualTo(1);
    }

    @Test
    void cancelPending_boundedTasks_givesTheirPlacesBack() {
        push("1");
        push("2");

        assertThat(lane.cancelPending()).hasSize(2);
        assertThat(own.free()).isEqualTo(2);
    }

    @Test
    void dropOldest_severalTasks_takesTheOldestThatIsBounded() {
        lane.push(() -> ran.add("unbounded"));
        push("1");
        push("2");

        assertThat(lane.dropOldest()).isNotNull();
        scheduler.drain();
        assertThat(ran).containsExactly("unbounded", "2");
    }

    @Test
    void dropOldest_leavesThePlacesToTheCaller() {
        push("1");
        int free = own.free();

        assertThat(lane.dropOldest()).isNotNull();
        assertThat(own.free()).isEqualTo(free);
        assertThat(lane.cancelPending()).isEmpty();
        assertThat(own.free()).isEqualTo(free);
    }

    @Test
    void dropOldest_insideATurn_startsWithWhatTheTurnHasTaken() {
        lane.push(() -> {
            push("3");
            while (lane.dropOldest() != null) {
                ran.add("dropped");
            }
        });
        push("1");
        push("2");
        scheduler.drain();

        assertThat(ran).containsExactly("dropped", "dropped", "dropped");
    }

    @Test
    void dropOldest_nothingBounded_returnsNull() {
        lane.push(() -> {});
        lane.offer(null, new Submission(() -> {}));

        assertThat(lane.dropOldest()).isNull();
    }

    @Test
    void dropOldest_floodOfAStuckLane_keepsNothingOfWhatWasDropped() {
        lane.offer(null, new Submission(() -> ran.add("first")));
        List<WeakReference<BoundedTask>> tasks = new ArrayList<>();
        for (int i = 0; i < 1000; i++) {
            lane.dropOldest();
            BoundedTask task = new BoundedTask(() -> ran.add("last"), own, null);
            tasks.add(new WeakReference<>(task));
            lane.push(task);
        }

        for (int tries = 0; tries < 50 && live(tasks) > 10; tries++) {
            System.gc();
        }
        assertThat(live(tasks)).isLessThanOrEqualTo(10);
        scheduler.drain();
        assertThat(ran).containsExactly("first", "last");
    }

    private static long live(List<WeakReference<BoundedTask>> tasks) {
        return tasks.stream().filter(n -> n.get() != null).count();
    }

    private void push(Object name) {
        lane.push(new BoundedTask(() -> ran.add(name), own, null));
    }
}
