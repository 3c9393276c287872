// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.demo.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.spindle.Spindle;
import dev.spindle.demo.flights.EventKind;
import dev.spindle.kafka.KeyedQueue;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(300)
class KafkaDemoTest {
    @TempDir
    private Path directory = Path.of("");

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int execute(String... arguments) {
        return KafkaMain.commandLine()
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(arguments);
    }

    private static String event(int sequence, EventKind kind) {
        return new Airframe.Event(sequence, kind, 10, "EWR", 100, 3).text();
    }

    /** With a broker, and processes that are killed, stopped and started. */
    @Tag("deep")
    @Tag("once")
    @Test
    void demo_withProcessesThatComeAndGo_endsWithEqualStates() {
        int status = execute("kafka", "demo", "--events", "6000", "--lookup", "10", "--processes", "2");

        assertThat(out.toString()).as(err.toString()).contains("the state of each is that of a run in one process");
        assertThat(err.toString()).contains("kill -9 of process 1", "leaves", "process 5 joins");
        assertThat(status).isZero();
    }

    @Test
    void demo_withoutABroker_namesItsAddress() {
        assertThat(execute("kafka", "demo", "--bootstrap", "127.0.0.1:1", "--events", "1"))
                .isEqualTo(2);
        assertThat(err.toString()).contains("127.0.0.1:1").contains("leave --bootstrap out");
    }

    @Test
    void handler_recordThatComesAgain_changesNothing() throws Exception {
        AirframeStore store = AirframeStore.inFiles(directory);
        FlightHandler handler = new FlightHandler(store, 0);
        try (Spindle spindle = Spindle.create();
                KeyedQueue<String, String> queue = KeyedQueue.local(spindle, handler)) {
            queue.send("N1", event(0, EventKind.DEPARTED)).get();
            queue.send("N1", event(0, EventKind.DEPARTED)).get();
            queue.send("N1", event(1, EventKind.LANDED)).get();
        }

        assertThat(handler.handled()).isEqualTo(2);
        assertThat(handler.repeated()).isEqualTo(1);
        Airframe state = store.load("N1");
        assertThat(state.events()).isEqualTo(2);
        assertThat(state.miles()).isEqualTo(100);
        assertThat(Airframe.parse(state.text())).isEqualTo(state);
        assertThat(store.load("N2")).isEqualTo(Airframe.NEW);
    }

    @Test
    void states_ofEventsInAnotherOrder_differ() {
        Airframe.Event departs = Airframe.Event.parse(event(0, EventKind.DEPARTED));
        Airframe.Event lands = Airframe.Event.parse(event(1, EventKind.LANDED));

        assertThat(Airframe.NEW.after(departs).after(lands))
                .isNotEqualTo(Airframe.NEW.after(lands).after(departs));
        assertThatThrownBy(() -> Airframe.parse("1 2")).hasMessageContaining("'1 2'");
    }
}
