// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.pipeline;

import static dev.spindle.TestSupport.await;
import static dev.spindle.TestSupport.resultOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.spindle.Spindle;
import dev.spindle.Strand;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Senders that wait for room when the strand, the spindle or the coalescer ends, on a pool of one thread. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class CoalescerShutdownTest {
    private final Spindle spindle =
            Spindle.builder().coreThreads(1).maxThreads(1).build();
    private final Strand strand = spindle.strand("own");
    private final Coalescer<String, Integer> full = Coalescer.<String, Integer>builder(strand, (key, value) -> {})
            .maxKeys(1)
            .build();
    private final CountDownLatch release = new CountDownLatch(1);

    /** The ways in which a full coalescer ends. */
    enum End {
        SHUTDOWN_NOW_OF_THE_STRAND {
            @Override
            void of(CoalescerShutdownTest test) {
                test.strand.shutdownNow();
            }
        },
        SHUTDOWN_NOW_OF_THE_SPINDLE {
            @Override
            void of(CoalescerShutdownTest test) {
                test.spindle.shutdownNow();
            }
        },
        SHUTDOWN_OF_THE_STRAND {
            @Override
            void of(CoalescerShutdownTest test) {
                test.strand.shutdown();
                test.release.countDown();
            }
        },
        SHUTDOWN_OF_THE_SPINDLE {
            @Override
            void of(CoalescerShutdownTest test) {
                test.spindle.shutdown();
                test.release.countDown();
            }
        },
        DRAIN {
            @Override
            void of(CoalescerShutdownTest test) {
                CompletionStage<@Nullable Void> unused = test.full.drain();
            }
        },
        HALT {
            @Override
            void of(CoalescerShutdownTest test) {
                CompletionStage<?> unused = test.full.halt();
            }
        },
        CLOSE {
            @Override
            void of(CoalescerShutdownTest test) {
                new Thread(() -> {
                            while (!test.full.toString().contains("closed")) {
                                Thread.onSpinWait();
                            }
                            test.release.countDown();
                        })
                        .start();
                test.full.close();
            }
        };

        abstract void of(CoalescerShutdownTest test);
    }

    @AfterEach
    void end() throws InterruptedException {
        release.countDown();
        spindle.shutdownNow();
        assertThat(spindle.awaitTermination(20, TimeUnit.SECONDS)).isTrue();
    }

    /** Blocks the only worker and makes one key pending, so that its run is queued and there is no room. */
    private void fill() {
        CountDownLatch busy = new CountDownLatch(1);
        spindle.execute(() -> {
            busy.countDown();
            boolean open = false;
            while (!open) {
                try {
                    release.await();
                    open = true;
                } catch (InterruptedException e) {
                    return; // after a shutdownNow
                }
            }
        });
        await(busy);
        assertThat(full.offer("first", 1)).isTrue();
        assertThat(full.offer("second", 2)).isFalse();
    }

    private List<FutureTask<@Nullable Void>> senders(int count) {
        List<FutureTask<@Nullable Void>> senders = new ArrayList<>();
        int before = full.estimatedWaiting();
        for (int i = 0; i < count; i++) {
            String key = "sender" + i;
            FutureTask<@Nullable Void> sender = new FutureTask<>(() -> {
                full.send(key, 1);
                return null;
            });
            senders.add(sender);
            new Thread(sender, key).start();
        }
        while (full.estimatedWaiting() < before + count) {
            Thread.onSpinWait();
        }
        return senders;
    }

    @ParameterizedTest
    @EnumSource(End.class)
    void f3_endOfAFullCoalescer_answersEverySenderThatWaits(End end) throws Exception {
        fill();
        CompletableFuture<@Nullable Void> async = full.sendAsync("async", 1).toCompletableFuture();
        List<FutureTask<@Nullable Void>> senders = senders(3);
        CompletableFuture<@Nullable Void> last = full.sendAsync("last", 1).toCompletableFuture();

        end.of(this);

        for (FutureTask<@Nullable Void> sender : senders) {
            assertRefused(sender);
        }
        release.countDown(); // workers complete the stages
        assertRefused(async);
        assertRefused(last);
        assertThatThrownBy(() -> full.offer("late", 1)).isInstanceOf(RejectedExecutionException.class);
        int left = resultOf(full.halt()).size();
        assertThat(full.delivered() + left).as("accepted updates").isEqualTo(1);
    }

    private static void assertRefused(java.util.concurrent.Future<@Nullable Void> sent) {
        assertThatThrownBy(() -> sent.get(20, TimeUnit.SECONDS)).hasCauseInstanceOf(RejectedExecutionException.class);
    }

    @Test
    void f3_sendThatBeginsAfterAShutdownNow_isRefused() {
        fill();
        strand.shutdownNow();

        assertThatThrownBy(() -> full.send("late", 1))
                .isInstanceOf(RejectedExecutionException.class)
                .hasMessageContaining("strand own is shut down");
        assertThatThrownBy(() -> resultOf(full.sendAsync("late", 1)))
                .hasCauseInstanceOf(RejectedExecutionException.class);
        assertThatThrownBy(() -> full.offer("first", 2)).isInstanceOf(RejectedExecutionException.class);
    }

    @Test
    void d1_shutdownUnderASteadyStreamOfOffers_ends() throws Exception {
        Thread[] streams = new Thread[2];
        for (int i = 0; i < streams.length; i++) {
            int key = i;
            streams[i] = new Thread(() -> {
                try {
                    for (int value = 0; ; value++) {
                        full.send("k" + key + value, value);
                    }
                } catch (RejectedExecutionException | InterruptedException e) {
                    // the end
                }
            });
            streams[i].start();
        }
        while (full.delivered() < 1_000) {
            Thread.onSpinWait();
        }
        strand.shutdown();

        assertThat(strand.awaitTermination(20, TimeUnit.SECONDS)).isTrue();
        for (Thread stream : streams) {
            stream.join();
        }
        assertThat(full.estimatedPending()).isZero();
    }

    @Test
    void u1_callbackOfSendAsyncThatSendsAgain_harmsNobody() throws Exception {
        fill();
        CompletionStage<@Nullable Void> first = full.sendAsync("a", 1);
        CompletionStage<Boolean> again =
                first.thenCompose(nothing -> full.sendAsync("b", 2)).thenApply(nothing -> true);
        CompletableFuture<Throwable> sent = new CompletableFuture<>();
        CompletionStage<@Nullable Void> unused = first.whenComplete((nothing, failure) -> {
            try {
                full.send("c", 3);
                sent.completeExceptionally(new AssertionError("waited on a worker"));
            } catch (IllegalStateException e) {
                sent.complete(e);
            } catch (Throwable t) {
                sent.completeExceptionally(t);
            }
        });
        List<FutureTask<@Nullable Void>> senders = senders(2);
        release.countDown();

        resultOf(again);
        assertThat(resultOf(sent)).hasMessageContaining("sendAsync");
        for (FutureTask<@Nullable Void> sender : senders) {
            sender.get(20, TimeUnit.SECONDS);
        }
    }

    @Test
    void u1_callbackOfARefusedSendAsyncThatSends_endsTheDrainAllTheSame() throws Exception {
        fill();
        CountDownLatch called = new CountDownLatch(1);
        CompletionStage<@Nullable Void> unused = full.sendAsync("a", 1).whenComplete((nothing, failure) -> {
            try {
                full.send("b", 2);
            } catch (Exception e) {
                called.countDown();
            }
        });
        List<FutureTask<@Nullable Void>> senders = senders(2);
        CompletionStage<@Nullable Void> drained = full.drain();

        for (FutureTask<@Nullable Void> sender : senders) {
            assertRefused(sender);
        }
        release.countDown();
        await(called);
        resultOf(drained);
    }

    @Test
    void u1_callbackOfSendAsyncThatBlocks_holdsUpNeitherSendersNorTheRun() throws Exception {
        try (Spindle two = Spindle.builder().coreThreads(2).maxThreads(2).build()) {
            CountDownLatch goOn = new CountDownLatch(1);
            CountDownLatch entered = new CountDownLatch(1);
            Coalescer<Integer, Integer> one = Coalescer.<Integer, Integer>builder(two, (key, value) -> await(entered))
                    .maxKeys(1)
                    .build();
            one.offer(0, 0);
            while (one.estimatedPending() > 0) {
                Thread.onSpinWait();
            }
            one.offer(1, 1);
            CompletionStage<@Nullable Void> blocked =
                    one.sendAsync(2, 2).thenRun(() -> await(goOn)).thenAccept(nothing -> {});
            entered.countDown();
            for (int key = 3; key < 100; key++) {
                one.send(key, key);
            }
            resultOf(one.drain().thenRun(goOn::countDown));
            resultOf(blocked);
            assertThat(one.delivered()).isEqualTo(100);
        }
    }
}
