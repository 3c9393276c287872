// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.pipeline;

import static dev.spindle.TestSupport.await;
import static dev.spindle.TestSupport.resultOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.spindle.Strand;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * User code in a coalescer, except the callbacks of senders, may block, throw or call back in, without effects on other
 * users.
 */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class CoalescerCallbackTest {
    @RegisterExtension
    final Bench bench = new Bench();

    private final CountDownLatch goOn = new CountDownLatch(1);
    private final CountDownLatch inHandler = new CountDownLatch(1);
    private final CountDownLatch open = new CountDownLatch(1);
    private final CountDownLatch inMerge = new CountDownLatch(1);

    @AfterEach
    void release() {
        goOn.countDown();
        open.countDown();
    }

    /** Returns a coalescer of one key whose handler blocks in the first value, and whose merge function blocks. */
    private Coalescer<String, Integer> full(Strand strand) {
        Coalescer<String, Integer> full = Coalescer.<String, Integer>builder(strand, (key, value) -> {
                    inHandler.countDown();
                    await(open);
                })
                .maxKeys(1)
                .merge((older, newer) -> {
                    inMerge.countDown();
                    await(goOn);
                    return newer;
                })
                .build();
        full.offer("handled", 0);
        await(inHandler);
        full.offer("pending", 1);
        return full;
    }

    @Test
    void u1_callbackOfDrainThatBlocks_holdsUpNeitherTheStrandNorAClose() {
        Strand strand = bench.spindle().strand("own");
        Coalescer<String, Integer> full = full(strand);
        CountDownLatch inCallback = new CountDownLatch(1);
        CompletionStage<@Nullable Void> unused = full.drain().thenRun(() -> {
            inCallback.countDown();
            await(goOn);
        });
        open.countDown();
        await(inCallback);

        full.close();
        resultOf(strand.submit(() -> {}));
        resultOf(full.halt());
    }

    @Test
    void u1_callbackOfHaltThatOffers_isRefusedAndHarmsNobody() {
        Coalescer<String, Integer> full = full(bench.spindle().strand("own"));
        CompletionStage<Boolean> offered = full.halt().thenApply(left -> full.offer("late", 1));
        open.countDown();

        assertThatThrownBy(() -> resultOf(offered)).hasRootCauseInstanceOf(RejectedExecutionException.class);
        assertThat(resultOf(full.halt())).hasSize(1);
    }

    @Test
    void u1_mergeThatBlocksInAnOffer_holdsUpNobodyElse() throws Exception {
        Coalescer<String, Integer> full = full(bench.spindle().strand("own"));
        FutureTask<Boolean> merging = new FutureTask<>(() -> full.offer("pending", 2));
        new Thread(merging).start();
        await(inMerge);
        CompletionStage<@Nullable Void> other = full.sendAsync("other", 3);
        open.countDown();

        resultOf(other);
        while (full.delivered() < 3) {
            Thread.onSpinWait();
        }
        goOn.countDown();
        assertThat(merging.get(20, TimeUnit.SECONDS)).isTrue();
        resultOf(full.drain());
    }

    @Test
    void send_interruptedWhileItIsBeingAccepted_isAcceptedAndKeepsTheInterrupt() throws Exception {
        Coalescer<String, Integer> full = full(bench.spindle().strand("own"));
        CompletionStage<@Nullable Void> first = full.sendAsync("key", 2);
        FutureTask<Boolean> interrupted = new FutureTask<>(() -> {
            full.send("key", 3);
            return Thread.interrupted();
        });
        Thread sender = new Thread(interrupted);
        sender.start();
        while (full.estimatedWaiting() < 2 || sender.getState() != Thread.State.WAITING) { // or it might merge itself
            Thread.onSpinWait();
        }
        open.countDown();
        await(inMerge); // entered on a worker, for the sender's value
        sender.interrupt();
        while (sender.isInterrupted() && sender.getState() == Thread.State.RUNNABLE) {
            Thread.onSpinWait();
        }
        goOn.countDown();

        resultOf(first);
        assertThat(interrupted.get(20, TimeUnit.SECONDS)).isTrue();
        resultOf(full.drain());
    }

    @Test
    void send_interruptedWhileItIsOfferedInVain_throwsInterruptedException() throws Exception {
        AtomicReference<@Nullable Thread> slow = new AtomicReference<>();
        CountDownLatch inKey = new CountDownLatch(1);
        record Key(String name, AtomicReference<@Nullable Thread> slow, CountDownLatch inKey, CountDownLatch goOn) {
            @Override
            public int hashCode() {
                if (Thread.currentThread() == slow.get()) {
                    inKey.countDown();
                    await(goOn);
                }
                return name.hashCode();
            }

            @Override
            public boolean equals(@Nullable Object other) {
                return this == other;
            }
        }
        Coalescer<Object, Integer> full = Coalescer.builder(
                        bench.spindle().strand("own"), (Object key, Integer value) -> {
                            inHandler.countDown();
                            await(open);
                        })
                .maxKeys(1)
                .build();
        full.offer("handled", 0);
        await(inHandler);
        full.offer("pending", 1);
        Key key = new Key("key", slow, inKey, goOn);
        FutureTask<Boolean> interrupted = new FutureTask<>(() -> {
            full.send(key, 2);
            return true;
        });
        Thread sender = new Thread(interrupted);
        sender.start();
        while (full.estimatedWaiting() < 1 || sender.getState() != Thread.State.WAITING) {
            Thread.onSpinWait();
        }
        FutureTask<CompletionStage<@Nullable Void>> offered = new FutureTask<>(() -> full.sendAsync("other", 3));
        Thread other = new Thread(offered);
        slow.set(other);
        other.start(); // offers on behalf of the first waiter, the sender
        await(inKey);
        sender.interrupt();
        while (sender.isInterrupted() || sender.getState() != Thread.State.WAITING) { // until it waits for the outcome
            Thread.onSpinWait();
        }
        goOn.countDown();

        assertThatThrownBy(() -> interrupted.get(20, TimeUnit.SECONDS)).hasCauseInstanceOf(InterruptedException.class);
        CompletionStage<@Nullable Void> sent = offered.get(20, TimeUnit.SECONDS);
        open.countDown();
        resultOf(sent);
        resultOf(full.drain());
        assertThat(full.delivered()).isEqualTo(3);
    }

    @Test
    void u1_keyCodeThatThrowsWhenASenderIsAdmitted_failsItsStageAlone() {
        AtomicBoolean broken = new AtomicBoolean();
        record Key(AtomicBoolean broken) {
            @Override
            public int hashCode() {
                if (broken.get()) {
                    throw new IllegalStateException("mine");
                }
                return 1;
            }

            @Override
            public boolean equals(@Nullable Object other) {
                return other == this;
            }
        }
        Coalescer<Object, Integer> one = Coalescer.<Object, Integer>builder(bench.spindle(), (key, value) -> {
                    inHandler.countDown();
                    await(open);
                })
                .maxKeys(1)
                .build();
        one.offer("handled", 0);
        await(inHandler);
        one.offer("pending", 1);
        CompletionStage<@Nullable Void> bad = one.sendAsync(new Key(broken), 2);
        CompletionStage<@Nullable Void> good = one.sendAsync("good", 3);
        broken.set(true);
        open.countDown();

        assertThatThrownBy(() -> resultOf(bad)).hasRootCauseMessage("mine");
        resultOf(good);
        resultOf(one.drain());
        assertThat(one.delivered()).isEqualTo(3);
    }

    @Test
    void f5_senderOfAFullCoalescerForWhichNoRunCanBeStarted_isRefusedWithTheReason() {
        RejectedExecutionException noThread = new RejectedExecutionException("no thread");
        AtomicBoolean failing = new AtomicBoolean();
        WaitingSends<?, ?>[] senders = new WaitingSends<?, ?>[1];
        PendingKeys<String, Integer> keys = new PendingKeys<>(
                1,
                1,
                null,
                () -> {
                    if (failing.get()) {
                        throw noThread;
                    }
                },
                () -> senders[0].admit(),
                () -> {});
        WaitingSends<String, Integer> sends =
                new WaitingSends<>(keys, RejectedExecutionException::new, new HostExecutor(null));
        senders[0] = sends;
        assertThat(keys.offer("pending", 1, false)).isEqualTo(PendingKeys.Outcome.ACCEPTED);
        CompletionStage<@Nullable Void> waiting = sends.addAsync("first", 2);
        failing.set(true);
        keys.abandon(); // as if its run was withdrawn
        keys.resume();

        assertThatThrownBy(() -> resultOf(waiting)).hasCause(noThread);
        assertThatThrownBy(() -> resultOf(sends.addAsync("second", 3))).hasCause(noThread);
        failing.set(false);
        assertThat(keys.offer("pending", 4, false)).isEqualTo(PendingKeys.Outcome.ACCEPTED);
        assertThat(keys.next()).isNotNull();
    }
}
