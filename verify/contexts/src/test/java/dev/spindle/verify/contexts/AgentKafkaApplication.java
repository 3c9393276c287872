// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.contexts;

import dev.spindle.Spindle;
import dev.spindle.SpindleBuilder;
import dev.spindle.kafka.KeyedQueue;
import io.opentelemetry.api.GlobalOpenTelemetry;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.context.Scope;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;

/**
 * An application for the agent of OpenTelemetry: sends records of one key, each in a trace of its own, which is also
 * the record's value, and prints which calls are in the trace of their record. The first attempt of the first record
 * fails, so the others wait behind its second.
 */
final class AgentKafkaApplication {
    private static final int RECORDS = 3;

    private AgentKafkaApplication() {}

    /** The arguments: the address of a broker, a topic, and {@code decorator} to set a task decorator. */
    @SuppressWarnings({"SystemOut", "try"}) // the answer to the test
    public static void main(String[] arguments) throws Exception {
        SpindleBuilder builder = Spindle.builder();
        if (arguments.length > 2) {
            Library.OPENTELEMETRY.carry(builder);
        }
        Map<String, String> properties = Map.of(
                "bootstrap.servers",
                arguments[0],
                KeyedQueue.TOPIC,
                arguments[1],
                "group.id",
                "traces",
                "auto.offset.reset",
                "earliest",
                "key.serializer",
                StringSerializer.class.getName(),
                "value.serializer",
                StringSerializer.class.getName(),
                "key.deserializer",
                StringDeserializer.class.getName(),
                "value.deserializer",
                StringDeserializer.class.getName());
        CountDownLatch handled = new CountDownLatch(RECORDS);
        try (Spindle spindle = builder.build();
                KeyedQueue<String, String> queue = KeyedQueue.<String, String>kafka(spindle, properties, record -> {
                    String trace = Span.current().getSpanContext().getTraceId();
                    boolean kept = trace.equals(record.value());
                    System.out.println("record " + record.offset() + " attempt " + record.attempt()
                            + (kept ? " keeps" : " loses"));
                    if (record.offset() == 0 && record.attempt() == 1) {
                        throw new IllegalStateException("on purpose");
                    }
                    handled.countDown();
                })) {
            for (int i = 0; i < RECORDS; i++) {
                Span span = GlobalOpenTelemetry.getTracer("test")
                        .spanBuilder("send")
                        .startSpan();
                try (Scope unused = span.makeCurrent()) {
                    queue.send("k", span.getSpanContext().getTraceId()).get(60, TimeUnit.SECONDS);
                } finally {
                    span.end();
                }
            }
            if (!handled.await(60, TimeUnit.SECONDS)) {
                throw new IllegalStateException(handled.getCount() + " records were not handled");
            }
        }
    }
}
