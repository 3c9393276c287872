// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.models;

import dev.spindle.benchmarks.peers.SerialExecutors;
import java.util.concurrent.Executor;

/** Serial executors without a bound: a message is a task. */
final class TaskCrowd implements Crowd, Crowd.Turn {
    private final SerialExecutors serial;
    private int made;

    private TaskCrowd(SerialExecutors serial) {
        this.serial = serial;
    }

    static Maker of(SerialExecutors.Maker executors) {
        return (members, threads) -> new TaskCrowd(executors.of(members, threads));
    }

    @Override
    public Member member(Behaviour behaviour) {
        return new Ref(serial.executors().get(made++), behaviour, this);
    }

    @Override
    public void tell(Member to, Object message) {
        ((Ref) to).send(message);
    }

    @Override
    public void close() {
        serial.close();
    }

    private record Ref(Executor executor, Behaviour behaviour, Turn turn) implements Member {
        @Override
        public void send(Object message) {
            executor.execute(() -> behaviour.receive(message, turn));
        }
    }
}
