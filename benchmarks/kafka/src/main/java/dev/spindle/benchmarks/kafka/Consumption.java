// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.kafka;

import dev.spindle.benchmarks.compare.Figure;
import dev.spindle.benchmarks.compare.Recorder;
import dev.spindle.benchmarks.compare.Subject;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;

/**
 * Passes in each of which a new group consumes a topic from its begin on. The clocks run from the first record to the
 * last, without the join of the group.
 */
final class Consumption implements Subject {
    static final Figure RATE = Figure.more("records_per_s", "records/s");

    private final Consumers contender;
    private final Shape shape;
    private final int records;
    private final int ofTopic;
    private final String address = SharedBroker.address();

    /**
     * The work of a cell.
     *
     * @param waitMicros the wait of a call
     * @param threads the number of calls at once, for contenders that have such a bound
     * @param records the number of records of a topic
     */
    record Shape(int keys, int waitMicros, int threads, int records) {
        /** Returns the number of records of a pass, in seconds rather than in minutes for serial contenders. */
        int recordsOf(Consumers contender) {
            int most = switch (contender) {
                case RAW -> waitMicros == 0 ? records : SERIAL_MICROS / waitMicros;
                case SPRING -> waitMicros == 0 ? records : Records.PARTITIONS * SERIAL_MICROS / waitMicros;
                default -> records;
            };
            return Math.min(records, most);
        }
    }

    /** The time of the waits of a pass of a serial contender. */
    private static final int SERIAL_MICROS = 3_000_000;

    Consumption(Consumers contender, Shape shape, Scale scale) {
        this.contender = contender;
        this.shape = shape;
        records = scale.of(shape.recordsOf(contender), 1_000);
        ofTopic = scale.of(shape.records, 1_000);
    }

    @Override
    public void pass(Recorder recorder) throws InterruptedException {
        String topic = Records.topic(address, shape.keys, ofTopic);
        Handler handler = new Handler(shape.keys, shape.waitMicros * 1_000L);
        Map<String, Object> properties = new HashMap<>();
        properties.put("bootstrap.servers", address);
        properties.put("group.id", "group-" + UUID.randomUUID());
        properties.put("auto.offset.reset", "earliest");
        Consumers.Ending running = contender.start(properties, topic, shape.threads, handler);
        long before = handler.awaitFirst();
        recorder.begin();
        handler.await(records);
        long handled = handler.handled() - before;
        long nanos = recorder.end(handled);
        recorder.value(RATE, handled * 1e9 / nanos);
        try {
            running.end();
        } catch (InterruptedException | RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException("the contender " + contender + " did not end", e);
        }
        recorder.violations(handler.disorders());
    }

    @Override
    public void close() {}
}
