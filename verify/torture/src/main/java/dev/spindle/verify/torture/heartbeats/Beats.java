// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.torture.heartbeats;

import dev.spindle.CoalescingTask;
import dev.spindle.Lane;
import dev.spindle.verify.torture.tools.Pause;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** Starts beats of all kinds, and the threads that some of them need. */
final class Beats {
    private static final long STEP_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long NAP_NANOS = TimeUnit.MILLISECONDS.toNanos(150);
    private static final int RIVALS = 3;
    private static final int BETWEEN_RIVALS = 40;
    private static final int INSIST_STEPS = 2_000;

    private final BooleanSupplier isOver;
    private final List<Beat> all = new ArrayList<>();
    private final List<Thread> threads = new ArrayList<>();
    private boolean block;

    Beats(BooleanSupplier isOver) {
        this.isOver = isOver;
    }

    List<Beat> all() {
        return all;
    }

    /**
     * Returns true if there are tasks that block, so that all tasks may have to wait until the pool creates a thread.
     */
    boolean block() {
        return block;
    }

    List<Thread> threads() {
        return threads;
    }

    private Beat beat(String name, Object where, int period) {
        Beat beat = new Beat(name + " at " + where, period);
        all.add(beat);
        return beat;
    }

    private interface Body {
        void run() throws InterruptedException;
    }

    private void thread(Body body) {
        Thread thread = new Thread(
                () -> {
                    try {
                        body.run();
                    } catch (RejectedExecutionException e) {
                        // The task was refused after a shutdown, which ends the beat.
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                },
                "torture-beat");
        thread.setDaemon(true);
        threads.add(thread);
    }

    /**
     * Submits a task, and retries for some time if the submission is refused. A failing thread factory may cause a
     * refusal while the pool has no worker.
     */
    void insist(Runnable submit) {
        for (int step = 0; ; step++) {
            try {
                submit.run();
                return;
            } catch (RejectedExecutionException e) {
                if (isOver.getAsBoolean() || step > INSIST_STEPS) {
                    throw e;
                }
                Pause.whole(STEP_NANOS);
            }
        }
    }

    // ---------------------------------------------------------------- by timers

    void atFixedRate(Site site, int millis) {
        Beat beat = beat("fixed rate", site, millis);
        insist(() -> site.atFixedRate(beat::happened, millis));
    }

    void withFixedDelay(Site site, int millis) {
        Beat beat = beat("fixed delay", site, millis);
        insist(() -> site.withFixedDelay(beat::happened, millis));
    }

    /** Starts a delayed task that schedules itself again at each run. */
    void again(Site site, int millis) {
        Beat beat = beat("delay", site, millis);
        Runnable task = new Runnable() {
            @Override
            public void run() {
                beat.happened();
                try {
                    site.after(this, millis);
                } catch (RejectedExecutionException e) {
                    // The task was refused after a shutdown, which ends the beat.
                }
            }
        };
        insist(() -> site.after(task, millis));
    }

    /** Starts a periodic coalescing task, and a thread that from time to time submits another task of the same key. */
    void coalescing(Site pool, int millis) {
        Beat beat = beat("coalescing", pool, millis);
        insist(() -> pool.atFixedRate(coalescing(beat, beat::happened), millis));
        Runnable rival = coalescing(beat, () -> {});
        thread(() -> {
            while (!isOver.getAsBoolean()) {
                for (int i = 0; i < RIVALS; i++) {
                    pool.executor().execute(rival);
                }
                // A superseded run is not a beat. A beat must therefore occur before the thread supersedes the task
                // again.
                int before = beat.count();
                do {
                    Pause.whole(BETWEEN_RIVALS * STEP_NANOS);
                } while (beat.count() == before && !isOver.getAsBoolean());
            }
        });
    }

    private static Runnable coalescing(Object key, Runnable body) {
        return new CoalescingTask() {
            @Override
            public Object key() {
                return key;
            }

            @Override
            public void run() {
                body.run();
            }
        };
    }

    /** Starts async tasks one after another. The stages never complete, and time limits end the tasks. */
    void limit(Lane lane, int millis) {
        Beat beat = beat("limit", lane.key(), millis);
        insist(() -> limited(lane, millis, beat::happened));
    }

    /** Starts async tasks whose callbacks block their thread most of the time. */
    void nap(Lane lane) {
        insist(() -> limited(lane, 1, () -> Pause.whole(NAP_NANOS)));
    }

    private void limited(Lane lane, int millis, Runnable callback) {
        CompletableFuture<?> unused = lane.submitAsync(() -> new CompletableFuture<Void>(), Duration.ofMillis(millis))
                .whenComplete((nothing, failure) -> {
                    callback.run();
                    if (!isOver.getAsBoolean()) {
                        try {
                            limited(lane, millis, callback);
                        } catch (RejectedExecutionException e) {
                            // The task was refused after a shutdown.
                        }
                    }
                });
    }

    // ---------------------------------------------------------------- from outside

    /** Starts a thread that submits one task at a time. */
    void probe(Site site, int millis) {
        Beat beat = beat("task from outside", site, millis);
        thread(() -> {
            beat.drivenBy(Thread.currentThread());
            while (!isOver.getAsBoolean()) {
                CountDownLatch ran = new CountDownLatch(1);
                insist(() -> site.executor().execute(() -> {
                    beat.happened();
                    ran.countDown();
                }));
                await(ran);
                Pause.whole(millis * STEP_NANOS);
            }
        });
    }

    /** Starts tasks that block without {@code callBlocking}, each until a task that is submitted later has run. */
    void unblock(Site site, int blocked, int millis) {
        Beat beat = beat("task behind " + blocked + " that block", site, millis);
        block = true;
        thread(() -> {
            while (!isOver.getAsBoolean()) {
                CountDownLatch open = new CountDownLatch(1);
                for (int i = 0; i < blocked; i++) {
                    insist(() -> site.executor().execute(() -> awaitQuietly(open)));
                }
                try {
                    insist(() -> site.executor().execute(() -> {
                        beat.happened();
                        open.countDown();
                    }));
                    await(open);
                } finally {
                    open.countDown();
                }
                Pause.whole(millis * STEP_NANOS);
            }
        });
    }

    private void await(CountDownLatch latch) throws InterruptedException {
        while (!latch.await(1, TimeUnit.MILLISECONDS)) {
            if (isOver.getAsBoolean()) {
                return;
            }
        }
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // a shutdownNow interrupted the task
        }
    }
}
