// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.spindle.internal.TimeLimit;
import dev.spindle.internal.TimeLimits;
import java.lang.ref.Reference;
import java.lang.ref.WeakReference;
import java.net.URL;
import java.net.URLClassLoader;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** U3: finished work keeps no task, key, class loader or executor reachable. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@SuppressWarnings({"FutureReturnValueIgnored", "ReachabilityFenceUsage", "NullAway"
}) // the futures are kept, or tell that other tasks have ended
class RetentionContractTest {
    /** A task with an object that it has captured. */
    private static final class Capture implements Runnable, Callable<String> {
        @Override
        public void run() {}

        @Override
        public String call() {
            return "done";
        }
    }

    /** Submits a task to an executor, and returns the object that a user would keep. */
    private interface Use {
        Object of(Spindle spindle, Capture capture) throws Exception;
    }

    private record Left(Object kept, WeakReference<?> capture, WeakReference<?> spindle) {}

    /** A separate method, so that no stack frame keeps the objects reachable. */
    private static Left left(Use use, boolean ends) throws Exception {
        Spindle spindle = Spindles.options().coreThreads(1).maxThreads(2).build();
        Capture capture = new Capture();
        Object kept = use.of(spindle, capture);
        if (ends) {
            spindle.close();
        }
        return new Left(kept, new WeakReference<>(capture), new WeakReference<>(spindle));
    }

    private static void assertKeepsNothing(Use use) throws Exception {
        Left left = left(use, true);

        assertThat(isCollected(left.capture)).as("the task of %s", left.kept).isTrue();
        assertThat(isCollected(left.spindle))
                .as("the executor of %s", left.kept)
                .isTrue();
        Reference.reachabilityFence(left.kept);
    }

    private static boolean isCollected(WeakReference<?> reference) throws InterruptedException {
        for (int i = 0; i < 50 && reference.get() != null; i++) {
            System.gc();
            new CountDownLatch(1).await(10, TimeUnit.MILLISECONDS); // a worker may not have parked yet
        }
        return reference.get() == null;
    }

    /** Uses the library in a class loader of its own, in threads of {@code factory} if it is not null. */
    private static WeakReference<ClassLoader> useInLoader(@Nullable ThreadFactory factory) throws Exception {
        URL[] library = {Spindle.class.getProtectionDomain().getCodeSource().getLocation()};
        URLClassLoader loader = new URLClassLoader(library, ClassLoader.getPlatformClassLoader());
        Object builder =
                loader.loadClass(Spindle.class.getName()).getMethod("builder").invoke(null);
        if (factory != null) {
            builder.getClass().getMethod("threadFactory", ThreadFactory.class).invoke(builder, factory);
        }
        Object spindle = builder.getClass().getMethod("build").invoke(builder);
        CountDownLatch ran = new CountDownLatch(1);
        ((Executor) spindle).execute(() -> ((Executor) spindle).execute(ran::countDown));
        ran.await();
        ((AutoCloseable) spindle).close();
        return new WeakReference<>(loader);
    }

    @Test
    void u3_closedExecutor_keepsNoClassLoader() throws Exception {
        List<Thread> made = new ArrayList<>();
        ThreadFactory factory = task -> {
            AtomicReference<Runnable> body = new AtomicReference<>(task); // since a thread of JDK 25 keeps its task
            Thread thread = new Thread(() -> body.getAndSet(() -> {}).run());
            made.add(thread);
            return thread;
        };

        assertThat(isCollected(useInLoader(null))).as("threads of the library").isTrue();
        assertThat(isCollected(useInLoader(factory))).as("threads of a user").isTrue();
        Reference.reachabilityFence(made);
    }

    @Test
    void u3_plainFuture_keepsNeitherTaskNorExecutor() throws Exception {
        assertKeepsNothing((spindle, capture) -> {
            Future<?> future = spindle.submit((Callable<String>) capture);
            future.get();
            return future;
        });
        assertKeepsNothing((spindle, capture) -> spindle.submit(capture, "result"));
    }

    @Test
    void u3_futureOfALane_keepsNeitherTaskNorExecutor() throws Exception {
        assertKeepsNothing((spindle, capture) -> spindle.keyed("keys").at("key").submit((Runnable) capture));
        assertKeepsNothing((spindle, capture) -> spindle.strand("strand").submit((Runnable) capture));
    }

    @Test
    void u3_futureOfALogicalExecutor_keepsNeitherTaskNorExecutor() throws Exception {
        assertKeepsNothing(
                (spindle, capture) -> spindle.executorBuilder("tasks").build().submit((Runnable) capture));
    }

    @Test
    void u3_futureWithStages_keepsNeitherTaskNorExecutor() throws Exception {
        assertKeepsNothing((spindle, capture) -> spindle.keyed("keys")
                .at("key")
                .submit((Callable<String>) capture)
                .thenApplyAsync(value -> capture.call())
                .thenApply(value -> capture.call()));
        assertKeepsNothing((spindle, capture) -> {
            CompletableFuture<?> future = spindle.strand("strand").submit((Runnable) capture);
            future.thenRunAsync(capture);
            future.thenRun(capture);
            return future;
        });
        assertKeepsNothing(
                (spindle, capture) -> spindle.submit((Callable<String>) capture).thenRunAsync(capture));
    }

    /** The stages of a long loop keep neither the results nor the stages before them. */
    @Test
    void u3_stageOfAChain_keepsNoEarlierResult() throws Exception {
        try (Spindle spindle = Spindles.options().coreThreads(1).build()) {
            CompletableFuture<Object> first = spindle.keyed("keys").submit("key", Object::new);
            WeakReference<Object> result = new WeakReference<>(first.get());
            CompletableFuture<Integer> last = first.thenApplyAsync(value -> 1).thenApplyAsync(value -> 2);
            first = null;
            assertThat(last.get()).isEqualTo(2);
            assertThat(isCollected(result)).isTrue();
            Reference.reachabilityFence(last);
        }
    }

    @Test
    void u3_failedFuture_keepsNeitherTaskNorExecutor() throws Exception {
        assertKeepsNothing((spindle, capture) -> spindle.keyed("keys").at("key").submit(() -> {
            throw new IllegalArgumentException(capture.call());
        }));
    }

    @Test
    void u3_cancelledFuture_keepsNeitherTaskNorExecutor() throws Exception {
        assertKeepsNothing((spindle, capture) -> {
            Lane lane = spindle.keyed("keys").at("key");
            lane.pause();
            Future<?> future = lane.submit((Runnable) capture);
            future.cancel(true);
            return future;
        });
    }

    @Test
    void u3_futureTakenByShutdownNow_keepsNeitherTaskNorExecutor() throws Exception {
        assertKeepsNothing((spindle, capture) -> {
            Lane lane = spindle.keyed("keys").at("key");
            lane.pause();
            Future<?> future = lane.submit((Runnable) capture);
            assertThat(spindle.shutdownNow()).containsExactly(capture);
            return future;
        });
    }

    @Test
    void u3_resultsOfInvokeAll_keepNeitherTasksNorExecutor() throws Exception {
        assertKeepsNothing((spindle, capture) -> spindle.invokeAll(List.of(capture, capture)));
    }

    @Test
    void u3_delayedTask_keepsNeitherTaskNorExecutor() throws Exception {
        assertKeepsNothing((spindle, capture) -> {
            ScheduledFuture<?> future = spindle.schedule((Runnable) capture, 1, TimeUnit.MILLISECONDS);
            future.get();
            assertThat(future.getDelay(TimeUnit.DAYS)).isZero();
            return future;
        });
    }

    @Test
    void u3_cancelledDelayedTasks_keepNeitherTaskNorExecutor() throws Exception {
        assertKeepsNothing((spindle, capture) -> {
            List<Future<?>> futures = new ArrayList<>();
            futures.add(spindle.schedule((Runnable) capture, 1, TimeUnit.HOURS));
            futures.add(spindle.scheduleAtFixedRate(capture, 0, 1, TimeUnit.MILLISECONDS));
            futures.add(spindle.keyed("keys").at("key").scheduleWithFixedDelay(capture, 0, 1, TimeUnit.HOURS));
            futures.forEach(future -> future.cancel(true));
            return futures;
        });
    }

    @Test
    void u3_delayedTasksTakenByShutdownNow_keepNeitherTaskNorExecutor() throws Exception {
        assertKeepsNothing((spindle, capture) -> {
            Future<?> future = spindle.schedule((Runnable) capture, 1, TimeUnit.HOURS);
            assertThat(spindle.shutdownNow()).containsExactly(capture);
            return future;
        });
    }

    @Test
    void u3_timeLimits_keepNeitherActionNorExecutor() throws Exception {
        assertKeepsNothing((spindle, capture) -> TimeLimits.set(spindle, Duration.ZERO, capture));
        assertKeepsNothing((spindle, capture) -> {
            TimeLimit limit = TimeLimits.set(spindle, Duration.ofHours(1), capture);
            limit.cancel();
            return limit;
        });
        assertKeepsNothing((spindle, capture) -> {
            TimeLimit limit = TimeLimits.set(spindle, Duration.ofHours(1), capture);
            spindle.shutdownNow();
            return limit;
        });
    }

    @Test
    void u3_coalescedHandle_keepsNeitherTaskNorExecutor() throws Exception {
        assertKeepsNothing((spindle, capture) -> spindle.keyed("keys").at("key").coalesce(capture));
        assertKeepsNothing((spindle, capture) -> spindle.keyed("keys").at("key").coalesceSlot("slot", capture));
    }

    @Test
    void u3_handlesOfSupersededCancelledAndFailedTasks_keepNeitherTaskNorExecutor() throws Exception {
        assertKeepsNothing((spindle, capture) -> {
            Lane lane = spindle.keyed("keys").at("key");
            lane.pause();
            List<CompletableFuture<Boolean>> handles = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                handles.add(lane.coalesce(capture));
            }
            handles.get(2).cancel(false);
            handles.add(lane.coalesceSlot("fails", () -> {
                throw new IllegalStateException(capture.call());
            }));
            lane.resume();
            assertThatThrownBy(() -> handles.get(3).get()).isInstanceOf(ExecutionException.class);
            lane.quiesce().get(); // the failure is reported after the future is done
            assertThat(handles.get(0)).isCompletedWithValue(false);
            assertThat(handles.get(1)).isCompletedWithValue(false);
            assertThat(handles.get(2)).isCancelled();
            return handles;
        });
    }

    @Test
    void u3_asyncTask_keepsNeitherTaskNorStageNorExecutor() throws Exception {
        assertKeepsNothing((spindle, capture) -> spindle.keyed("keys")
                .at("key")
                .submitAsync(() -> CompletableFuture.completedFuture(capture).thenApply(Capture::call)));
    }

    @Test
    void u3_stageThatNeverCompletes_keepsNeitherTaskNorExecutorPastTheLimit() throws Exception {
        assertKeepsNothing((spindle, capture) -> {
            CompletableFuture<String> stage = new CompletableFuture<>();
            CompletableFuture<String> future = spindle.keyed("keys")
                    .at("key")
                    .submitAsync(
                            () -> {
                                capture.run();
                                return stage;
                            },
                            Duration.ofMillis(1));
            assertThat(future.handle((value, failure) -> failure).get()).isNotNull();
            return List.of(stage, future);
        });
    }

    @Test
    void u3_asyncTaskCompletedByHand_keepsNoStage() throws Exception {
        assertKeepsNothing((spindle, capture) -> {
            CountDownLatch begun = new CountDownLatch(1);
            Lane lane = spindle.keyed("keys").at("key");
            CompletableFuture<String> future = lane.submitAsync(() -> {
                begun.countDown();
                return new CompletableFuture<String>() {
                    @Override
                    public String toString() {
                        return capture.call();
                    }
                };
            });
            begun.await();
            TestSupport.until(() -> lane.activity().thread() == null); // the stage holds the lane
            future.complete("by hand");
            return future;
        });
    }

    @Test
    void u3_cancelledAsyncTask_cancelsItsStageAndKeepsNothing() throws Exception {
        assertKeepsNothing((spindle, capture) -> {
            CompletableFuture<String> stage = new CompletableFuture<>();
            CountDownLatch begun = new CountDownLatch(1);
            CompletableFuture<String> future = spindle.keyed("keys").at("key").submitAsync(() -> {
                capture.run();
                begun.countDown();
                return stage;
            });
            begun.await();
            future.cancel(true);
            assertThat(stage.handle((value, failure) -> failure).get()).isNotNull();
            return List.of(stage, future);
        });
    }

    @Test
    void u3_runningSpindle_keepsNoTaskThatHasEnded() throws Exception {
        List<Spindle> running = new ArrayList<>();
        Left left = left(
                (spindle, capture) -> {
                    running.add(spindle);
                    spindle.submit((Runnable) capture).get();
                    spindle.keyed("keys").at("key").submit((Runnable) capture).get();
                    spindle.keyed("keys")
                            .at("key")
                            .coalesceSlot("slot", capture)
                            .get();

                    spindle.schedule((Runnable) capture, 1, TimeUnit.MILLISECONDS)
                            .get();
                    return spindle.executorBuilder("tasks")
                                    .build()
                                    .submit((Runnable) capture)
                                    .get()
                            == null;
                },
                false);

        assertThat(isCollected(left.capture)).isTrue();
        running.get(0).close();
    }
}
