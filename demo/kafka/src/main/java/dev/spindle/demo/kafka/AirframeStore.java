// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.demo.kafka;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The states of all aircraft. One thread at a time uses the state of an aircraft, and the store relies on it. */
interface AirframeStore {
    /** The length of a file, in which each state has room. */
    int LENGTH = 128;

    /** Returns the state of an aircraft, {@link Airframe#NEW} before its first event. */
    Airframe load(String tail) throws IOException;

    /** Replaces the state of an aircraft. */
    void save(String tail, Airframe state) throws IOException;

    /** Returns a store in memory. */
    static AirframeStore inMemory() {
        Map<String, Airframe> states = new ConcurrentHashMap<>();
        return new AirframeStore() {
            @Override
            public Airframe load(String tail) {
                return states.getOrDefault(tail, Airframe.NEW);
            }

            @Override
            public void save(String tail, Airframe state) {
                states.put(tail, state);
            }
        };
    }

    /** Returns a store with a file for each aircraft, which the processes of a machine share. */
    static AirframeStore inFiles(Path directory) {
        return new AirframeStore() {
            @Override
            public Airframe load(String tail) throws IOException {
                try {
                    String text = Files.readString(directory.resolve(tail)).strip();
                    return text.isEmpty() ? Airframe.NEW : Airframe.parse(text); // killed before the first write
                } catch (NoSuchFileException e) {
                    return Airframe.NEW;
                }
            }

            // One write, always of the same length: a process that is killed leaves the old state or the new one.
            @Override
            public void save(String tail, Airframe state) throws IOException {
                String text = state.text();
                ByteBuffer line = StandardCharsets.US_ASCII.encode(text + " ".repeat(LENGTH - text.length()));
                try (FileChannel file = FileChannel.open(
                        directory.resolve(tail), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
                    var unused = file.write(line, 0);
                }
            }
        };
    }
}
