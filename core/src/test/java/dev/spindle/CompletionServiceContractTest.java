// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle;

import static dev.spindle.TestSupport.result;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionService;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** K2: every entry point respects keys, including those of the JDK's helper classes. */
@Timeout(60)
class CompletionServiceContractTest {
    @RegisterExtension
    final Spindles spindles = new Spindles();

    private final AtomicInteger running = new AtomicInteger();

    private final class OfKey implements SequentialTask, Callable<Integer> {
        private final int number;

        OfKey(int number) {
            this.number = number;
        }

        @Override
        public Object key() {
            return "key";
        }

        @Override
        public Integer call() {
            assertThat(running.incrementAndGet()).isOne();
            running.decrementAndGet();
            return number;
        }

        @Override
        public void run() {
            call();
        }
    }

    @Test
    void k2_completionServiceOnASpindle_refusesATaskWithAKey() throws Exception {
        CompletionService<Integer> service = new ExecutorCompletionService<>(spindles.spindle());
        assertThatThrownBy(() -> service.submit((Callable<Integer>) new OfKey(1)))
                .isInstanceOf(RejectedExecutionException.class)
                .hasMessageContaining("key tasks/key")
                .hasMessageContaining("keyed(\"tasks\").at(key)");
        assertThatThrownBy(() -> service.submit((Runnable) new OfKey(1), 1))
                .isInstanceOf(RejectedExecutionException.class);
        Future<Integer> unused = service.submit(() -> 2);
        assertThat(service.take().get()).isEqualTo(2);
    }

    @Test
    void k2_completionServiceOnALane_keepsTheOrder() throws Exception {
        Lane lane = spindles.spindle().keyed("tasks").at("key");
        CompletionService<Integer> service = new ExecutorCompletionService<>(lane);
        for (int i = 0; i < 500; i++) {
            Future<Integer> unused = service.submit((Callable<Integer>) new OfKey(i));
        }
        for (int i = 0; i < 500; i++) {
            assertThat(service.take().get()).isEqualTo(i);
        }
    }

    /** Wrappers of the JDK, of which some are no AbstractExecutorService, and one as Guava's are written. */
    static List<Function<Lane, ExecutorService>> wrappers() {
        return List.of(
                lane -> lane,
                Executors::unconfigurableExecutorService,
                Executors::unconfigurableScheduledExecutorService,
                Forwarding::new,
                lane -> new Forwarding(Executors.unconfigurableExecutorService(lane)));
    }

    private static final class Forwarding extends AbstractExecutorService {
        private final ExecutorService delegate;

        Forwarding(ExecutorService delegate) {
            this.delegate = delegate;
        }

        @Override
        public void execute(Runnable task) {
            delegate.execute(task);
        }

        @Override
        public void shutdown() {
            delegate.shutdown();
        }

        @Override
        public List<Runnable> shutdownNow() {
            return delegate.shutdownNow();
        }

        @Override
        public boolean isShutdown() {
            return delegate.isShutdown();
        }

        @Override
        public boolean isTerminated() {
            return delegate.isTerminated();
        }

        @Override
        public boolean awaitTermination(long timeout, TimeUnit unit) throws InterruptedException {
            return delegate.awaitTermination(timeout, unit);
        }
    }

    @ParameterizedTest
    @MethodSource("wrappers")
    void k2_wrapperOfALane_keepsTheOrder_inACompletionServiceToo(Function<Lane, ExecutorService> wrap)
            throws Exception {
        Lane lane = spindles.spindle().keyed("tasks").at("key");
        ExecutorService wrapped = wrap.apply(lane);
        CompletionService<Integer> service = new ExecutorCompletionService<>(wrapped);
        for (int i = 0; i < 200; i++) {
            int number = i;
            Future<Integer> unused = service.submit(() -> lane.isCurrent() ? new OfKey(number).call() : -1);
        }
        for (int i = 0; i < 200; i++) {
            assertThat(service.take().get()).isEqualTo(i);
        }
        assertThat(wrapped.invokeAll(List.<Callable<Boolean>>of(lane::isCurrent))
                        .get(0)
                        .get())
                .isTrue();
        assertThat(wrapped.<Boolean>submit(lane::isCurrent).get()).isTrue();
    }

    /** A wrapper of the spindle hides the key that a task carries: give the service the lane. */
    @Test
    void trap_completionServiceOverAWrapperOfASpindle_losesTheKeyOfATask() throws Exception {
        Lane lane = spindles.spindle().keyed("tasks").at("key");
        CompletionService<Boolean> service =
                new ExecutorCompletionService<>(Executors.unconfigurableExecutorService(spindles.spindle()));
        final class Tagged implements SequentialTask, Callable<Boolean> {
            @Override
            public Object key() {
                return "key";
            }

            @Override
            public Boolean call() {
                return lane.isCurrent();
            }

            @Override
            public void run() {}
        }
        Future<Boolean> unused = service.submit((Callable<Boolean>) new Tagged());
        assertThat(service.take().get()).isFalse();
    }

    @Test
    void k2_invokeAll_keepsKeys() throws Exception {
        List<OfKey> tasks = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            tasks.add(new OfKey(i));
        }
        List<Future<Integer>> all = spindles.spindle().invokeAll(tasks);
        List<Future<Integer>> again = spindles.spindle().invokeAll(tasks, 1, TimeUnit.MINUTES);
        for (int i = 0; i < 100; i++) {
            assertThat(result(all.get(i))).isEqualTo(i);
            assertThat(result(again.get(i))).isEqualTo(i);
        }
    }

    @Test
    void invokeAll_timeHasPassed_cancelsTheRest() throws InterruptedException {
        Callable<Integer> endless = () -> {
            new java.util.concurrent.CountDownLatch(1).await();
            return 1;
        };
        List<Future<Integer>> all = spindles.spindle().invokeAll(List.of(endless, endless), 10, TimeUnit.MILLISECONDS);
        assertThat(all).hasSize(2).allMatch(Future::isCancelled);
        assertThat(spindles.spindle().invokeAll(List.of(endless), 0, TimeUnit.MILLISECONDS))
                .allMatch(Future::isCancelled);
    }
}
