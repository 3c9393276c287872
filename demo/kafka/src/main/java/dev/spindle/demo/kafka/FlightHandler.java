// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.demo.kafka;

import dev.spindle.kafka.KeyedHandler;
import dev.spindle.kafka.KeyedRecord;
import java.io.IOException;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;

/**
 * The handler of the events: the same in one process and in several. It relies on the order per aircraft, and needs no
 * lock. A record that comes again changes nothing, since the state of the aircraft tells which event is next.
 */
final class FlightHandler implements KeyedHandler<String, String> {
    private final AirframeStore store;
    private final int lookUpMillis;
    private final LongAdder handled = new LongAdder();
    private final LongAdder repeated = new LongAdder();

    FlightHandler(AirframeStore store, int lookUpMillis) {
        this.store = store;
        this.lookUpMillis = lookUpMillis;
    }

    /** @throws IllegalStateException if an earlier event of the aircraft has not been handled */
    @Override
    public void handle(KeyedRecord<String, String> record) throws IOException, InterruptedException {
        String tail = Objects.requireNonNull(record.key(), "each event has an aircraft");
        Airframe before = store.load(tail);
        Airframe.Event event = Airframe.Event.parse(Objects.requireNonNull(record.value()));
        if (event.sequence() < before.events()) {
            repeated.increment();
            return;
        }
        if (event.sequence() > before.events()) {
            throw new IllegalStateException("aircraft " + tail + ": event " + event.sequence() + " came when event "
                    + before.events() + " was next");
        }
        if (lookUpMillis > 0) {
            Thread.sleep(lookUpMillis); // a look-up elsewhere
        }
        store.save(tail, before.after(event));
        handled.increment();
    }

    /** Returns the number of events that changed a state. */
    long handled() {
        return handled.sum();
    }

    /** Returns the number of events that had been handled before. */
    long repeated() {
        return repeated.sum();
    }
}
