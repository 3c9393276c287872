// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle;

import static dev.spindle.TestSupport.usedBytes;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** U3: the timer of a delayed task is removed as soon as its future is completed in any way. */
@Timeout(60)
@SuppressWarnings({"FutureReturnValueIgnored", "unchecked"}) // the remaining timers are checked
class DelayedTaskRetentionTest {
    /** A way to complete a future by hand. */
    @SuppressWarnings("ImmutableEnumChecker")
    enum Way {
        CANCEL(future -> future.cancel(false)),
        CANCEL_WITH_INTERRUPT(future -> future.cancel(true)),
        COMPLETE(future -> future.complete("by hand")),
        COMPLETE_EXCEPTIONALLY(future -> future.completeExceptionally(new IllegalStateException("by hand"))),
        COMPLETE_ASYNC(future -> future.completeAsync(() -> "by hand", Runnable::run)),
        OBTRUDE_VALUE(future -> future.obtrudeValue("by hand")),
        OBTRUDE_EXCEPTION(future -> future.obtrudeException(new IllegalStateException("by hand"))),
        OR_TIMEOUT(future -> future.orTimeout(1, TimeUnit.MILLISECONDS)),
        COMPLETE_ON_TIMEOUT(future -> future.completeOnTimeout("by hand", 1, TimeUnit.MILLISECONDS));

        private final Consumer<CompletableFuture<Object>> end;

        Way(Consumer<CompletableFuture<Object>> end) {
            this.end = end;
        }

        void complete(ScheduledFuture<?> task) {
            end.accept((CompletableFuture<Object>) (Object) task);
        }
    }

    @RegisterExtension
    final Spindles spindles = new Spindles();

    private static Stream<Function<Spindle, ScheduledFuture<?>>> kinds() {
        return Stream.of(
                spindle -> spindle.schedule(() -> {}, 1, TimeUnit.HOURS),
                spindle -> spindle.schedule(() -> "value", 1, TimeUnit.HOURS),
                spindle -> spindle.scheduleAtFixedRate(() -> {}, 1, 1, TimeUnit.HOURS),
                spindle -> spindle.scheduleWithFixedDelay(() -> {}, 1, 1, TimeUnit.HOURS),
                spindle -> spindle.keyed("keys").at("key").schedule(() -> {}, 1, TimeUnit.HOURS),
                spindle -> spindle.strand("strand").schedule(() -> {}, 1, TimeUnit.HOURS),
                spindle -> spindle.executorBuilder("own").build().schedule(() -> {}, 1, TimeUnit.HOURS));
    }

    @ParameterizedTest
    @EnumSource
    void u3_delayedTaskCompletedByHand_leavesTheTimersAtOnce(Way way) {
        kinds().forEach(kind -> {
            Spindle spindle = spindles.spindle();
            ScheduledFuture<?> task = kind.apply(spindle);
            assertThat(spindle.kernel().timers().isEmpty()).isFalse();

            way.complete(task);

            TestSupport.until(task::isDone);
            TestSupport.until(() -> spindle.kernel().timers().isEmpty());
            assertThat(task.getDelay(TimeUnit.MINUTES)).isEqualTo(59);
            spindle.close(); // does not wait an hour
        });
    }

    @ParameterizedTest
    @EnumSource
    void u3_periodicTaskCompletedBetweenTwoRuns_leavesTheTimersAtOnce(Way way) {
        Spindle spindle = spindles.spindle();
        CompletableFuture<@Nullable Void> ran = new CompletableFuture<>();
        ScheduledFuture<?> task = spindle.scheduleAtFixedRate(() -> ran.complete(null), 0, 1, TimeUnit.HOURS);
        TestSupport.result(ran);
        TestSupport.until(() -> task.getDelay(TimeUnit.MINUTES) > 0);

        way.complete(task);

        TestSupport.until(() -> spindle.kernel().timers().isEmpty());
        spindle.close();
    }

    /** The timers, if they stayed for the hour, would take some 20 MB. */
    @Test
    void u3_manyDelayedTasksCompletedByHand_keepNoMemory() {
        Spindle spindle = spindles.spindle();
        scheduleAndComplete(spindle, 1_000);
        long before = usedBytes();
        scheduleAndComplete(spindle, 200_000);
        assertThat(usedBytes() - before).isLessThan(4_000_000);
        assertThat(spindle.isShutdown()).isFalse();
    }

    private static void scheduleAndComplete(Spindle spindle, int tasks) {
        List<Way> ways = new ArrayList<>(List.of(Way.values()));
        ways.remove(Way.OR_TIMEOUT); // it would measure the JDK's timers
        ways.remove(Way.COMPLETE_ON_TIMEOUT);
        for (int i = 0; i < tasks; i++) {
            ways.get(i % ways.size()).complete(spindle.schedule(() -> {}, 1 + i % 7, TimeUnit.HOURS));
        }
    }
}
