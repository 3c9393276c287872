// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.torture.channels;

import dev.spindle.channel.Channel;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Checks that the received values are the sent values. */
final class Receipts {
    private final Queue<Value> sent = new ConcurrentLinkedQueue<>();
    private final Queue<Value> received = new ConcurrentLinkedQueue<>();
    private final Queue<String> errors = new ConcurrentLinkedQueue<>();

    void sent(Value value) {
        sent.add(value);
    }

    void received(Value value) {
        received.add(value);
    }

    void error(String text) {
        errors.add(text);
    }

    int count() {
        return sent.size();
    }

    /** Returns the errors, after all threads have ended. */
    List<String> errors() {
        Set<Value> expected = new HashSet<>(sent);
        Set<Value> seen = new HashSet<>();
        for (Value value : received) {
            if (!seen.add(value)) {
                error(value + " was received twice");
            } else if (!expected.remove(value)) {
                error(value + " was received, and not sent");
            }
        }
        expected.forEach(value -> error(value + " was sent, and never received"));
        return List.copyOf(errors);
    }

    /** A receiver, which must receive the values of each sender on a channel in order. */
    final class Receiver {
        private final String name;
        private final boolean inOrder;
        private final Map<List<Object>, Integer> last = new HashMap<>();

        Receiver(String name, boolean inOrder) {
            this.name = name;
            this.inOrder = inOrder;
        }

        /** Records a value. The calls of this method must not overlap. */
        void accept(Channel<Value> channel, Value value) {
            received(value);
            Integer before = last.put(List.of(channel, value.sender()), value.number());
            if (inOrder && before != null && before >= value.number()) {
                error(name + " got " + value + " of " + channel + " after number " + before);
            }
        }
    }
}
