// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.demo;

import dev.spindle.Keyed;
import dev.spindle.Spindle;

/**
 * The solution with one Spindle, whose key is the aircraft.
 *
 * @param threads the number of core threads; the Spindle adds threads while tasks block
 */
record SpindleContender(int threads) implements Contender {

    static final String NAME = "Spindle, aircraft as key";

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public String method() {
        return "one pool: in order for a key, no key behind another";
    }

    @Override
    public boolean promisesOrder() {
        return true;
    }

    @Override
    public Dispatcher open(ThreadLedger ledger) {
        Spindle spindle = Spindle.builder()
                .name("demo")
                .coreThreads(threads)
                .threadFactory(ledger)
                .build();
        return new OnSpindle(spindle, spindle.keyed("keys"));
    }

    private record OnSpindle(Spindle spindle, Keyed<String> keyed) implements Dispatcher {

        @Override
        public void dispatch(Aircraft aircraft, Runnable handling) {
            keyed.execute(aircraft.tail(), handling);
        }

        @Override
        public void close() {
            spindle.close();
        }
    }
}
