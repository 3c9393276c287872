// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.conformance;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingDeque;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RunnableFuture;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Broken executors, each with one fault. */
@SuppressWarnings("FutureReturnValueIgnored") // a fault of some of them
final class BrokenExecutors {
    private static final Duration SHORT = Duration.ofMillis(150);

    private BrokenExecutors() {}

    private static <E extends Executor> Subject<E> shortly(Subject<E> subject) {
        return subject.within(SHORT);
    }

    private static Subject<ThreadPoolExecutor> pool(Subject.Pool<ThreadPoolExecutor> made) {
        return shortly(Subject.ofPool("broken pool", 1, made, Trait.SHUTDOWN_NOW_LEAVES_FUTURES_OPEN));
    }

    private static Subject<ScheduledThreadPoolExecutor> scheduled(Subject.Pool<ScheduledThreadPoolExecutor> made) {
        return shortly(Subject.ofPool(
                "broken scheduled pool",
                2,
                made,
                Trait.SHUTDOWN_NOW_LEAVES_FUTURES_OPEN,
                Trait.SHUTDOWN_NOW_RETURNS_WRAPPERS,
                Trait.CANCELLED_DELAYED_TASKS_HOLD_TERMINATION));
    }

    /** A correct pool of one thread. */
    private static class RightPool extends ThreadPoolExecutor {
        RightPool() {
            super(1, 1, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), Hosts.quietThreads());
        }
    }

    /** A correct scheduled pool of two threads. */
    private static class RightScheduledPool extends ScheduledThreadPoolExecutor {
        RightScheduledPool() {
            super(2, Hosts.quietThreads());
        }
    }

    /**
     * A correct pool, with the timeout of correct executors, so that it does not fail on a busy machine.
     */
    static Subject<ThreadPoolExecutor> right() {
        return Subject.ofPool("right pool", 1, RightPool::new, Trait.SHUTDOWN_NOW_LEAVES_FUTURES_OPEN);
    }

    /** Loses one task of a hundred. */
    static Subject<ThreadPoolExecutor> forgetful() {
        return pool(() -> new RightPool() {
            private final AtomicInteger count = new AtomicInteger();

            @Override
            public void execute(Runnable task) {
                if (count.incrementAndGet() % 100 != 0) {
                    super.execute(task);
                }
            }
        });
    }

    /** Runs each task twice. */
    static Subject<ThreadPoolExecutor> eager() {
        return pool(() -> new RightPool() {
            @Override
            public void execute(Runnable task) {
                super.execute(task);
                super.execute(task);
            }
        });
    }

    /** Runs the newest task first. */
    static Subject<ThreadPoolExecutor> newestFirst() {
        return pool(() -> new ThreadPoolExecutor(
                1,
                1,
                0,
                TimeUnit.SECONDS,
                new LinkedBlockingDeque<>() {
                    private static final long serialVersionUID = 1;

                    @Override
                    public boolean offer(Runnable task) {
                        return offerFirst(task);
                    }
                },
                Hosts.quietThreads()));
    }

    /** Runs a task that a task submits at once, within it. */
    static Subject<ThreadPoolExecutor> reentrant() {
        return pool(() -> new RightPool() {
            private final ThreadLocal<Boolean> own = ThreadLocal.withInitial(() -> false);

            @Override
            protected void beforeExecute(Thread thread, Runnable task) {
                own.set(true);
            }

            @Override
            public void execute(Runnable task) {
                if (own.get()) {
                    task.run();
                } else {
                    super.execute(task);
                }
            }
        });
    }

    /** Runs a task that is submitted after a shutdown, in the submitting thread. */
    static Subject<ThreadPoolExecutor> ajar() {
        return pool(() -> {
            ThreadPoolExecutor made = new RightPool();
            made.setRejectedExecutionHandler((task, executor) -> task.run());
            return made;
        });
    }

    /** Reports its termination as soon as it is shut down. */
    static Subject<ThreadPoolExecutor> hasty() {
        return pool(() -> new RightPool() {
            @Override
            public boolean isTerminated() {
                return isShutdown();
            }
        });
    }

    /** Shuts down by {@code shutdownNow}. */
    static Subject<ThreadPoolExecutor> violent() {
        return pool(() -> new RightPool() {
            @Override
            public void shutdown() {
                super.shutdownNow();
            }
        });
    }

    /** Returns no tasks from {@code shutdownNow}. */
    static Subject<ThreadPoolExecutor> greedy() {
        return pool(() -> new RightPool() {
            @Override
            public List<Runnable> shutdownNow() {
                super.shutdownNow();
                return List.of();
            }
        });
    }

    /** Does not interrupt running tasks. */
    static Subject<ThreadPoolExecutor> uninterrupting() {
        return pool(() -> new RightPool() {
            @Override
            public List<Runnable> shutdownNow() {
                super.shutdown();
                List<Runnable> waiting = List.copyOf(getQueue());
                getQueue().clear();
                return waiting;
            }
        });
    }

    /** Returns the futures of {@code invokeAll} in the wrong order. */
    static Subject<ThreadPoolExecutor> reversing() {
        return pool(() -> new RightPool() {
            @Override
            public <T extends @Nullable Object> List<Future<T>> invokeAll(Collection<? extends Callable<T>> tasks)
                    throws InterruptedException {
                List<Future<T>> futures = super.invokeAll(tasks);
                Collections.reverse(futures);
                return futures;
            }
        });
    }

    /** Does not cancel the unfinished tasks of {@code invokeAll}. */
    static Subject<ThreadPoolExecutor> careless() {
        return pool(() -> new RightPool() {
            @Override
            public <T extends @Nullable Object> List<Future<T>> invokeAll(Collection<? extends Callable<T>> tasks)
                    throws InterruptedException {
                List<Future<T>> futures = new ArrayList<>();
                for (Callable<T> task : tasks) {
                    futures.add(submit(task));
                }
                for (Future<T> future : futures) {
                    try {
                        future.get();
                    } catch (ExecutionException e) {
                        // the failure is in the future
                    }
                }
                return futures;
            }
        });
    }

    /** Never interrupts a cancelled task. */
    static Subject<ThreadPoolExecutor> gentle() {
        return pool(() -> new RightPool() {
            @Override
            protected <T extends @Nullable Object> RunnableFuture<T> newTaskFor(Runnable task, T result) {
                return new FutureTask<>(task, result) {
                    @Override
                    public boolean cancel(boolean mayInterruptIfRunning) {
                        return super.cancel(false);
                    }
                };
            }
        });
    }

    /** Runs delayed tasks after a tenth of their delay. */
    static Subject<ScheduledThreadPoolExecutor> early() {
        return scheduled(() -> new RightScheduledPool() {
            @Override
            public <V extends @Nullable Object> ScheduledFuture<V> schedule(
                    Callable<V> task, long delay, TimeUnit unit) {
                return super.schedule(task, unit.toNanos(delay) / 10, TimeUnit.NANOSECONDS);
            }
        });
    }

    /** Starts periodic tasks whether the run before has ended or not. */
    static Subject<ScheduledThreadPoolExecutor> overlapping() {
        return scheduled(() -> new RightScheduledPool() {
            @Override
            public ScheduledFuture<?> scheduleAtFixedRate(Runnable task, long delay, long period, TimeUnit unit) {
                return super.scheduleAtFixedRate(() -> execute(task), delay, period, unit);
            }
        });
    }

    /** Counts fixed delays from the start of a run. */
    static Subject<ScheduledThreadPoolExecutor> hurried() {
        return scheduled(() -> new RightScheduledPool() {
            @Override
            public ScheduledFuture<?> scheduleWithFixedDelay(Runnable task, long delay, long pause, TimeUnit unit) {
                return super.scheduleAtFixedRate(task, delay, pause, unit);
            }
        });
    }

    /** Continues periodic tasks after a shutdown. */
    static Subject<ScheduledThreadPoolExecutor> endless() {
        return scheduled(() -> {
            ScheduledThreadPoolExecutor made = new RightScheduledPool();
            made.setContinueExistingPeriodicTasksAfterShutdownPolicy(true);
            return made;
        });
    }

    /** Drops delayed tasks at a shutdown. */
    static Subject<ScheduledThreadPoolExecutor> abrupt() {
        return scheduled(() -> {
            ScheduledThreadPoolExecutor made = new RightScheduledPool();
            made.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
            return made;
        });
    }
}
