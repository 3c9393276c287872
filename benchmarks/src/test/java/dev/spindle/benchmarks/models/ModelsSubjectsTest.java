// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.models;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.benchmarks.compare.Figure;
import dev.spindle.benchmarks.compare.Recorder;
import dev.spindle.benchmarks.compare.Subject;
import java.util.ArrayDeque;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

/** Whether a model that hands messages on in the wrong order, or twice, is found out. */
@Tag("deep")
@Tag("once")
@Timeout(60)
class ModelsSubjectsTest {
    private static final Subject.Scale SMALL = new Subject.Scale(0);
    private static final int NEVER = -1;

    private static double violations(Subject subject) throws InterruptedException {
        try (subject) {
            Recorder recorder = new Recorder();
            subject.pass(recorder);
            return recorder.values().getOrDefault(Figure.VIOLATIONS.field(), Double.NaN);
        }
    }

    private static Crowd.Maker broken(int swapped, int doubled) {
        return (members, threads) -> new HandCrowd(swapped, doubled);
    }

    private static final Crowd.Maker CLEAN = broken(NEVER, NEVER);

    @Test
    void tell_messagesOutOfOrder_areFoundOut() throws InterruptedException {
        assertThat(violations(new Tell(broken(7, NEVER), 1, 1, SMALL))).isPositive();
        assertThat(violations(new Tell(CLEAN, 4, 1, SMALL))).isZero();
    }

    @Test
    void tell_messageDoubled_isFoundOut() throws InterruptedException {
        assertThat(violations(new Tell(broken(NEVER, 7), 1, 1, SMALL))).isPositive();
    }

    @Test
    void tellInside_messagesOutOfOrder_areFoundOut() throws InterruptedException {
        assertThat(violations(new TellInside(broken(7, NEVER), 1, SMALL))).isPositive();
        assertThat(violations(new TellInside(CLEAN, 1, SMALL))).isZero();
    }

    @Test
    void pingPong_ballsOutOfOrder_areFoundOut() throws InterruptedException {
        assertThat(violations(new PingPong(broken(70, NEVER), 1, 50, 1))).isPositive();
        assertThat(violations(new PingPong(CLEAN, 3, 50, 1))).isZero();
        assertThat(violations(new PingPong(CLEAN, 1, 1, 1))).isZero();
    }

    @Test
    void ring_nothingWrong_isClean() throws InterruptedException {
        assertThat(violations(new TokenRing(CLEAN, 64, 1))).isZero();
    }

    @Test
    void passing_valuesLeftOut_areFoundOut() throws InterruptedException {
        assertThat(violations(new Passing((count, receiver) -> {
                    for (int i = 0; i < count; i++) {
                        receiver.accept(i == 7 ? 8 : i);
                    }
                })))
                .isPositive();
        assertThat(violations(new Passing(Passing.tasks(16, 1)))).isZero();
    }

    @Test
    void crossing_valuesSwappedOrLeftOut_areFoundOut() throws InterruptedException {
        assertThat(violations(new Crossing((share, receivers) -> sendAll(share, receivers, 7, 8))))
                .isPositive();
        assertThat(violations(new Crossing((share, receivers) -> sendAll(share, receivers, 7, 7))))
                .isPositive();
        assertThat(violations(new Crossing((share, receivers) -> sendAll(share, receivers, 7, NEVER))))
                .isZero();
        assertThat(violations(new Crossing(Crossing.tasks(16, 2)))).isZero();
        assertThat(violations(new Crossing(Crossing.threads(Link.queue(1), ThreadCrowd::startPlatform))))
                .isZero();
    }

    /** All but {@code left}, which comes behind {@code replaced} if that is another. */
    private static void sendAll(int share, List<Crossing.Receiver> receivers, int left, int replaced) {
        for (int sender = 0; sender < receivers.size(); sender++) {
            for (int number = 0; number < share; number++) {
                if (replaced == NEVER || number != left) {
                    receivers.get((sender + number) % receivers.size()).accept(sender << 24 | number);
                }
                if (number == replaced && replaced != left) {
                    receivers.get(0).accept(sender << 24 | left);
                }
            }
        }
    }

    @Test
    void select_amongChannels_passesAllInOrder() throws InterruptedException {
        assertThat(violations(new Passing(Passing.selectingTasks(3, 1)))).isZero();
        assertThat(violations(new Passing(Passing.threads(Link.select(3), ThreadCrowd::startPlatform))))
                .isZero();
    }

    @Test
    @EnabledForJreRange(min = JRE.JAVA_21)
    void jox_linksAndSelects_passAllInOrder() throws InterruptedException {
        for (Link link : List.of(Jox.link(0), Jox.link(16), Jox.select(3))) {
            assertThat(violations(new Passing(Passing.threads(link, ThreadCrowd.virtualThreads()))))
                    .isZero();
        }
    }

    @Test
    void pi_allCalculators_comeToTheSame() throws InterruptedException {
        Pi.Series series = new Pi.Series(1_000, 100);
        for (Pi.Calculator.Maker maker : new Pi.Calculator.Maker[] {
            of -> new PiInChunks(of, 2), PiOfTasks::spindle, PiOfActors::of, PiOfEvents::spindle
        }) {
            assertThat(violations(new Pi(maker, series, Subject.Scale.FULL))).isZero();
        }
    }

    /** Members on the thread that sends, with one queue for all. */
    private static final class HandCrowd implements Crowd, Crowd.Turn {
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

        @Override
        public Member member(Behaviour behaviour) {
            return new HandMember(behaviour);
        }

        @Override
        public void tell(Member to, Object message) {
            ((HandMember) to).send(message);
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

        @Override
        public void close() {}

        private final class HandMember implements Member {
            private final Behaviour behaviour;

            HandMember(Behaviour behaviour) {
                this.behaviour = behaviour;
            }

            @Override
            public void send(Object message) {
                put(() -> behaviour.receive(message, HandCrowd.this));
            }
        }
    }
}
