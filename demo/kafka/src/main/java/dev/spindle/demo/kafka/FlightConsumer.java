// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.demo.kafka;

import dev.spindle.Spindle;
import dev.spindle.kafka.ConsumerStats;
import dev.spindle.kafka.FailurePolicy;
import dev.spindle.kafka.KeyedConsumer;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.serialization.StringDeserializer;

/**
 * The main class of a consumer process. It prints lines: {@code p HANDLED REPEATED PARTITIONS} five times a second,
 * {@code closed REPORT} and {@code died CAUSE}. It leaves the group when the standard input ends.
 */
final class FlightConsumer {
    private static final long REPORT_MILLIS = 200;
    private static final int MOST_THREADS = 64;

    private FlightConsumer() {}

    /** The arguments: the address, the topic, the directory of the states, the look-up in ms and the session in ms. */
    public static void main(String[] arguments) throws IOException {
        Map<String, Object> properties = new HashMap<>();
        properties.put("bootstrap.servers", arguments[0]);
        properties.put("group.id", arguments[1]);
        properties.put("auto.offset.reset", "earliest");
        properties.put("session.timeout.ms", arguments[4]);
        properties.put("heartbeat.interval.ms", Integer.parseInt(arguments[4]) / 6);
        FlightHandler handler =
                new FlightHandler(AirframeStore.inFiles(Path.of(arguments[2])), Integer.parseInt(arguments[3]));
        ScheduledExecutorService reporter = Executors.newSingleThreadScheduledExecutor();
        try (Spindle spindle = Spindle.builder().maxThreads(MOST_THREADS).build();
                KeyedConsumer<String, String> consumer = KeyedConsumer.builder(spindle, properties, handler)
                        .deserializers(new StringDeserializer(), new StringDeserializer())
                        .topics(arguments[1])
                        .commitInterval(Duration.ofMillis(500))
                        .maxAttempts(1)
                        .afterFailure(FailurePolicy.stop())
                        .start()) {
            var reports = reporter.scheduleAtFixedRate(
                    () -> say(progress(handler, consumer.stats())), 0, REPORT_MILLIS, TimeUnit.MILLISECONDS);
            var ended = consumer.terminated().whenComplete((unused, failure) -> {
                if (failure != null) {
                    say("died " + failure);
                }
            });
            while (System.in.read() >= 0) {
                // nothing is sent
            }
            reports.cancel(false);
            String report = consumer.close(Duration.ofSeconds(20)).toString();
            say(progress(handler, consumer.stats()));
            say("closed " + report);
            ended.cancel(false);
        } finally {
            reporter.shutdownNow();
        }
    }

    private static String progress(FlightHandler handler, ConsumerStats stats) {
        return "p " + handler.handled() + " " + handler.repeated() + " "
                + stats.partitions().size();
    }

    private static synchronized void say(String line) {
        System.out.println(line.replace('\n', ' '));
        System.out.flush();
    }
}
