// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.messages;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.benchmarks.compare.Figure;
import dev.spindle.benchmarks.compare.Recorder;
import dev.spindle.benchmarks.compare.Subject;
import dev.spindle.benchmarks.compare.Waits;
import dev.spindle.benchmarks.executors.Pools;
import dev.spindle.benchmarks.messages.Passing.Link;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

/** A model that hands messages on in the wrong order, or twice, is found out. */
@Tag("deep")
@Tag("once")
@Timeout(60)
class MessagesTest {
    private static final Subject.Scale SMALL = new Subject.Scale(0);
    private static final int NEVER = -1;
    private static final Crowd.Maker CLEAN = broken(NEVER, NEVER);

    private static Crowd.Maker broken(int swapped, int doubled) {
        return (members, threads) -> new HandCrowd(swapped, doubled).crowd();
    }

    private static double violations(Subject subject) throws InterruptedException {
        try (subject) {
            Recorder recorder = new Recorder();
            subject.pass(recorder);
            return recorder.values().getOrDefault(Figure.VIOLATIONS.field(), Double.NaN);
        }
    }

    @Test
    void tell_messagesOutOfOrderOrDoubled_areFoundOut() throws InterruptedException {
        assertThat(violations(Tell.fromThreads(broken(7, NEVER), 1, 1, SMALL))).isPositive();
        assertThat(violations(Tell.fromThreads(broken(NEVER, 7), 1, 1, SMALL))).isPositive();
        assertThat(violations(Tell.fromThreads(CLEAN, 4, 1, SMALL))).isZero();
        assertThat(violations(Tell.inside(broken(7, NEVER), 1, SMALL))).isPositive();
        assertThat(violations(Tell.inside(CLEAN, 1, SMALL))).isZero();
    }

    @Test
    void pingPong_ballsOutOfOrder_areFoundOut() throws InterruptedException {
        assertThat(violations(new PingPong(broken(70, NEVER), 1, 50, 1))).isPositive();
        assertThat(violations(new PingPong(CLEAN, 3, 50, 1))).isZero();
        assertThat(violations(new PingPong(CLEAN, 1, 1, 1))).isZero();
    }

    @Test
    void ring_tokensThatOvertake_areFoundOut() throws InterruptedException {
        // Ten thousand hops of two tokens: each comes by as often as the other, so that none is held at the end.
        assertThat(violations(new TokenRing((members, threads) -> overtaking(), 2, 1)))
                .isPositive();
        assertThat(violations(new TokenRing(CLEAN, 64, 1))).isZero();
    }

    @Test
    void passing_valuesSwappedOrLeftOut_areFoundOut() throws InterruptedException {
        for (int parties : new int[] {1, 4}) {
            assertThat(violations(new Passing(parties, (share, to) -> sendAll(share, to, 7, 8))))
                    .isPositive();
            assertThat(violations(new Passing(parties, (share, to) -> sendAll(share, to, 7, 7))))
                    .isPositive();
            assertThat(violations(new Passing(parties, (share, to) -> sendAll(share, to, 7, NEVER))))
                    .isZero();
            assertThat(violations(new Passing(parties, Passing.tasks(parties, 16, 2))))
                    .isZero();
            Passing.Line threads = Passing.threads(Link.queue(1), task -> Waits.start("member", task));
            assertThat(violations(new Passing(parties, threads))).isZero();
        }
    }

    /** Sends all but {@code left}, which comes behind {@code replaced} if that is another. */
    private static void sendAll(int share, List<Passing.Receiver> receivers, int left, int replaced) {
        for (int sender = 0; sender < receivers.size(); sender++) {
            for (int number = 0; number < share; number++) {
                if (replaced == NEVER || number != left) {
                    receivers.get((sender + number) % receivers.size()).accept(sender << 12 | number);
                }
                if (number == replaced && replaced != left) {
                    receivers.get((sender + number) % receivers.size()).accept(sender << 12 | left);
                }
            }
        }
    }

    @Test
    void select_amongChannels_passesAllInOrder() throws InterruptedException {
        assertThat(violations(new Passing(1, Passing.selectingTasks(3, 1)))).isZero();
        assertThat(violations(new Passing(1, Passing.threads(Link.select(3), task -> Waits.start("member", task)))))
                .isZero();
    }

    @Test
    @EnabledForJreRange(min = JRE.JAVA_21)
    void jox_linksAndSelects_passAllInOrder() throws InterruptedException {
        for (Link link : List.of(Link.Jox.link(0), Link.Jox.link(16), Link.Jox.select(3))) {
            assertThat(violations(new Passing(1, Passing.threads(link, Pools.virtualThreads()))))
                    .isZero();
        }
    }

    @Test
    void pi_allCalculators_comeToTheSame() throws InterruptedException {
        Pi.Series series = new Pi.Series(1_000, 100);
        for (Pi.Maker maker : new Pi.Maker[] {Pi::limit, Pi::spindle, Pi.crowd(Crowd::actors), Pi::pipeline}) {
            assertThat(violations(new Pi(maker, series, Subject.Scale.FULL))).isZero();
        }
    }

    /** A crowd whose sixth member gets each two messages in the wrong order. */
    private static Crowd overtaking() {
        HandCrowd clean = new HandCrowd(NEVER, NEVER);
        List<Object> held = new ArrayList<>();
        int[] made = new int[1];
        return new Crowd(
                behaviour -> {
                    Crowd.Member member = clean.member(behaviour);
                    Crowd.Member swapping = message -> {
                        held.add(message);
                        if (held.size() == 2) {
                            member.send(held.remove(1));
                            member.send(held.remove(0));
                        }
                    };
                    return made[0]++ == 5 ? swapping : member;
                },
                () -> {});
    }

    /** Members on the thread that sends, with one queue for all. */
    private static final class HandCrowd implements Crowd.Turn {
        private final ArrayDeque<Runnable> queue = new ArrayDeque<>();
        private final int swapped;
        private final int doubled;
        private int sent;
        private Runnable held = () -> {};
        private boolean running;

        HandCrowd(int swapped, int doubled) {
            this.swapped = swapped;
            this.doubled = doubled;
        }

        Crowd crowd() {
            return new Crowd(this::member, () -> {});
        }

        Crowd.Member member(Crowd.Behaviour behaviour) {
            return message -> put(() -> behaviour.receive(message, this));
        }

        @Override
        public void tell(Crowd.Member to, Object message) {
            try {
                to.send(message);
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }

        private synchronized void put(Runnable delivery) {
            if (sent == swapped) {
                held = delivery;
            } else {
                queue.add(delivery);
                if (sent == swapped + 1 && swapped >= 0) {
                    queue.add(held);
                }
                if (sent == doubled) {
                    queue.add(delivery);
                }
            }
            sent++;
            if (!running) {
                running = true;
                for (Runnable next = queue.poll(); next != null; next = queue.poll()) {
                    next.run();
                }
                running = false;
            }
        }
    }
}
