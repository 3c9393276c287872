// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.affinity;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.BitSet;

/** The cores that a thread may run on, in the notation of the kernel: {@code 0-3,6}. Linux only. */
final class AllowedCores {
    private static final String FIELD = "Cpus_allowed_list:";

    private AllowedCores() {}

    static String ofThisThread() {
        try {
            return Files.readAllLines(Path.of("/proc/thread-self/status")).stream()
                    .filter(line -> line.startsWith(FIELD))
                    .map(line -> line.substring(FIELD.length()).trim())
                    .findFirst()
                    .orElseThrow();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static BitSet parse(String list) {
        BitSet cores = new BitSet();
        for (String range : list.split(",", -1)) {
            String[] ends = range.split("-", -1);
            cores.set(Integer.parseInt(ends[0]), Integer.parseInt(ends[ends.length - 1]) + 1);
        }
        return cores;
    }

    static int count(String list) {
        return parse(list).cardinality();
    }
}
