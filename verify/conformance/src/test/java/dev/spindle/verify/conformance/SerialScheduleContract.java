// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.conformance;

import static java.util.concurrent.TimeUnit.HOURS;
import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.NANOSECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import org.junit.jupiter.api.Test;

/** A scheduled executor of one place runs due tasks in the order of their due times. */
abstract class SerialScheduleContract extends ServiceContract<ScheduledExecutorService> {
    SerialScheduleContract(Subject<? extends ScheduledExecutorService> subject) {
        super(subject);
        if (subject.concurrency() != 1) {
            throw new IllegalArgumentException(subject + " has " + subject.concurrency() + " places");
        }
    }

    @Test
    void schedule_dueWhileThePlaceIsTaken_runInTheOrderOfTheirDueTimes() throws Exception {
        unless(Trait.DUE_TASKS_MAY_SWAP);
        List<ScheduledFuture<?>> ran = new ArrayList<>(); // plain: one place
        List<ScheduledFuture<?>> futures = new ArrayList<>();
        List<Gate> place = occupy();
        for (long delay : new long[] {14, 2, 11, 5, 8}) {
            int own = futures.size();
            futures.add(executor.schedule(
                    () -> {
                        ran.add(futures.get(own));
                    },
                    delay,
                    MILLISECONDS));
        }
        for (ScheduledFuture<?> future : futures) {
            until(() -> future.getDelay(NANOSECONDS) < 0);
        }
        assertThat(ran).isEmpty();

        open(place);

        for (ScheduledFuture<?> future : futures) {
            assertThat((Object) result(future)).isNull();
        }
        List<ScheduledFuture<?>> expected = new ArrayList<>(futures);
        expected.sort(Comparator.naturalOrder()); // by due times, which pauses may have reordered
        assertThat(ran).containsExactlyElementsOf(expected);
    }

    @Test
    void schedule_whatIsNotDue_letsOthersPass() throws Exception {
        List<String> ran = new ArrayList<>();
        ScheduledFuture<Boolean> later = executor.schedule(() -> ran.add("later"), 1, HOURS);
        executor.execute(() -> ran.add("executed"));

        assertThat(result(executor.submit(() -> ran.add("submitted")))).isTrue();

        assertThat(ran).containsExactly("executed", "submitted");
        assertThat(later.cancel(false)).isTrue();
    }
}
