// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.torture.conflations;

import dev.spindle.verify.torture.tools.Pause;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;

/** The consumer of a conflating channel, which records and checks the deliveries. */
final class Deliveries implements Consumer<Value> {
    private static final int SLOW_IN = 16;
    private static final int FAILS_IN = 13;
    private static final long SLOW_NANOS = 300_000;

    private final Queue<String> errors = new ConcurrentLinkedQueue<>();
    // The fields are plain, because each call of the handler happens-before the next call.
    private final Map<Integer, Value> latest = new HashMap<>();
    private final Map<Long, Integer> latestOfSender = new HashMap<>();
    private boolean inside;
    private int count;

    /** A deliberate failure of the handler. */
    static final class Planned extends RuntimeException {
        private static final long serialVersionUID = 1;

        Planned() {
            super("on purpose", null, false, false);
        }
    }

    @Override
    public void accept(Value value) {
        if (inside) {
            errors.add("two deliveries at once, of " + value);
        }
        inside = true;
        count++;
        note(value);
        if (count % SLOW_IN == 0) {
            Pause.whole(SLOW_NANOS);
        }
        inside = false;
        if (count % FAILS_IN == 0) {
            throw new Planned();
        }
    }

    private void note(Value value) {
        int key = value.key();
        latest.put(key, value);
        if (value.sender() >= 0) {
            Integer before = latestOfSender.put(key * 1_000L + value.sender(), value.number());
            if (before != null && before >= value.number()) {
                errors.add("key " + key + " got " + value + " after number " + before);
            }
        }
    }

    void error(String what) {
        errors.add(what);
    }

    /** Records the values that {@code halt} returned, after the end of the channel. */
    void undelivered(List<Value> rest) {
        rest.forEach(this::note);
    }

    /** Returns the number of calls of the handler, after the end of the channel. */
    int count() {
        return count;
    }

    /**
     * Checks that each key in {@code accepted} has a last value, and that this value is not an outdated value of the
     * given sender. A last value from the sender must be the last one that the channel accepted from this sender.
     */
    void checkLast(int sender, Map<Integer, Integer> accepted) {
        accepted.forEach((key, number) -> {
            Value last = latest.get(key);
            if (last == null || (last.sender() == sender && last.number() != number)) {
                errors.add("key " + key + " ended with " + last + ", and number " + number + " of sender " + sender
                        + " had been accepted");
            }
        });
    }

    List<String> errors() {
        return new ArrayList<>(errors);
    }
}
