// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.limit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
@SuppressWarnings("NullAway") // futures without a result
class FairPermitsTest {
    private static final long LONG = TimeUnit.MINUTES.toNanos(5);

    private final CountedPermits places = new CountedPermits(1);

    /** A waiting submitter. */
    private final class Waiting {
        final CompletableFuture<Boolean> in = new CompletableFuture<>();
        final CountDownLatch interrupted = new CountDownLatch(1);
        final Thread thread;

        Waiting(BooleanSupplier shut) {
            int before = places.waiters();
            thread = new Thread(() -> {
                try {
                    in.complete(places.await(LONG, 0, shut));
                } catch (InterruptedException e) {
                    interrupted.countDown();
                }
            });
            thread.start();
            while (places.waiters() == before) {
                Thread.onSpinWait();
            }
        }

        boolean isIn() throws Exception {
            return in.get(20, TimeUnit.SECONDS);
        }
    }

    private Waiting waiting() {
        return new Waiting(() -> false);
    }

    @Test
    void tryTake_whileSomebodyWaits_isForThatOne() throws Exception {
        assertThat(places.tryTake()).isTrue();
        assertThat(places.tryTake()).isFalse();
        Waiting first = waiting();
        places.giveBack();
        assertThat(places.tryTake()).isFalse();
        assertThat(first.isIn()).isTrue();
        places.giveBack();
        assertThat(places.tryTake()).isTrue();
    }

    /** Permits with a hook between the write that frees a place and the check for waiters. */
    private static final class Freed extends FairPermits {
        private volatile boolean free;

        @Override
        boolean take() {
            boolean taken = free;
            free = false;
            return taken;
        }

        @Override
        public void giveBack() {
            free = true;
            made();
        }

        @Override
        public boolean isFree() {
            return free;
        }
    }

    @Test
    void tryTake_roomThatIsNotYetHandedOver_isForTheOneThatWaits() throws Exception {
        Freed room = new Freed();
        CompletableFuture<Boolean> in = new CompletableFuture<>();
        Thread waiter = new Thread(() -> {
            try {
                in.complete(room.await(LONG, 0, () -> false));
            } catch (InterruptedException e) {
                in.completeExceptionally(e);
            }
        });
        waiter.start();
        while (waiter.getState() != Thread.State.TIMED_WAITING) {
            Thread.onSpinWait();
        }
        room.free = true;
        assertThat(room.tryTake()).isFalse();
        room.made();
        assertThat(in.get(20, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void giveBack_severalWait_letsThemInOneByOne() throws Exception {
        places.tryTake();
        List<Waiting> all = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            all.add(waiting());
        }
        for (int i = 0; i < 5; i++) {
            places.giveBack();
            assertThat(all.get(i).isIn()).isTrue();
            assertThat(places.waiters()).isEqualTo(4 - i);
        }
    }

    @Test
    void await_interruptedInTheMiddle_leavesTheOthersInOrder() throws Exception {
        places.tryTake();
        Waiting first = waiting();
        Waiting second = waiting();
        Waiting third = waiting();
        second.thread.interrupt();
        assertThat(second.interrupted.await(20, TimeUnit.SECONDS)).isTrue();
        third.thread.interrupt();
        assertThat(third.interrupted.await(20, TimeUnit.SECONDS)).isTrue();
        Waiting fourth = waiting();
        places.giveBack();
        assertThat(first.isIn()).isTrue();
        assertThat(fourth.in).isNotDone();
        places.giveBack();
        assertThat(fourth.isIn()).isTrue();
        assertThat(places.free()).isZero();
    }

    @Test
    void await_limitPasses_takesNothing() throws Exception {
        places.tryTake();
        assertThat(places.await(1, 0, () -> false)).isFalse();
        assertThat(places.waiters()).isZero();
        places.giveBack();
        assertThat(places.tryTake()).isTrue();
    }

    @Test
    void await_roomAndAnInterrupt_takesTheRoomAndKeepsTheFlag() throws Exception {
        Thread.currentThread().interrupt();
        assertThat(places.await(LONG, 0, () -> false)).isTrue();
        assertThat(Thread.interrupted()).isTrue();
        assertThat(places.free()).isZero();
    }

    @Test
    void await_afterTheShutdown_returnsAtOnce() throws Exception {
        places.tryTake();
        assertThat(places.await(LONG, 0, () -> true)).isFalse();
        assertThat(places.waiters()).isZero();
    }

    @Test
    void refuse_someAreShut_refusesThoseAndKeepsTheOrderOfTheRest() throws Exception {
        places.tryTake();
        AtomicBoolean shut = new AtomicBoolean();
        Waiting first = new Waiting(shut::get);
        Waiting second = waiting();
        Waiting third = new Waiting(shut::get);
        Waiting fourth = waiting();
        places.refuse();
        assertThat(places.waiters()).isEqualTo(4);
        shut.set(true);
        places.refuse();
        assertThat(first.isIn()).isFalse();
        assertThat(third.isIn()).isFalse();
        places.giveBack();
        assertThat(second.isIn()).isTrue();
        assertThat(fourth.in).isNotDone();
        places.giveBack();
        assertThat(fourth.isIn()).isTrue();
    }

    /** FairPermits-3: submitters that join, wait and withdraw meet at the same two ends of the queue. */
    @Test
    void await_manySubmittersThatGiveUpAtOnce_loseNoPlace() throws Exception {
        List<CompletableFuture<Void>> done = new ArrayList<>();
        for (int t = 0; t < 4; t++) {
            int number = t;
            CompletableFuture<Void> end = new CompletableFuture<>();
            done.add(end);
            new Thread(() -> {
                        try {
                            for (int i = 0; i < 20_000; i++) {
                                if (places.await(number == 0 ? LONG : i % 100, 0, () -> false)) {
                                    places.giveBack();
                                }
                            }
                            end.complete(null);
                        } catch (Throwable e) {
                            end.completeExceptionally(e);
                        }
                    })
                    .start();
        }
        for (CompletableFuture<Void> end : done) {
            end.get(40, TimeUnit.SECONDS);
        }
        assertThat(places.free()).isEqualTo(1);
        assertThat(places.waiters()).isZero();
    }
}
