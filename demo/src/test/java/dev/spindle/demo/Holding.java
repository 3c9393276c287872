// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.demo;

import java.util.ArrayDeque;
import java.util.Deque;

/** A contender that collects all events and handles them at the end, on the calling thread, in order or in reverse. */
record Holding(boolean reversed, boolean promisesOrder) implements Contender {

    @Override
    public String name() {
        return reversed ? "reversing" : "holding";
    }

    @Override
    public String method() {
        return "all in the end";
    }

    @Override
    public Dispatcher open(ThreadLedger ledger) {
        Deque<Runnable> held = new ArrayDeque<>();
        return new Dispatcher() {
            @Override
            public void dispatch(Aircraft aircraft, Runnable handling) {
                if (reversed) {
                    held.addFirst(handling);
                } else {
                    held.addLast(handling);
                }
            }

            @Override
            public void close() {
                held.forEach(Runnable::run);
            }
        };
    }
}
