// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.pool;

import dev.spindle.benchmarks.forks.CpuQuota;
import dev.spindle.benchmarks.forks.Programs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** What of the machine the forks of a cell may use. */
enum Confinement {
    NONE,
    /** So much processor time that the JVM takes it for two processors, and is held up when it uses two. */
    QUOTA,
    ONE_CORE;

    static final double QUOTA_PROCESSORS = 1.5;

    private static final String NO_QUOTA =
            "no control group with a processor quota can be made here; that takes Linux, and root or a delegated group";

    private static final String ALLOWED = "Cpus_allowed_list:";

    /** Why this machine cannot do it; empty when it can. Tries it. */
    Optional<String> absence() {
        return switch (this) {
            case NONE -> Optional.empty();
            case QUOTA -> {
                Optional<CpuQuota> tried = CpuQuota.open(QUOTA_PROCESSORS);
                tried.ifPresent(CpuQuota::close);
                yield tried.isPresent() ? Optional.empty() : Optional.of(NO_QUOTA);
            }
            case ONE_CORE ->
                Programs.succeeds("taskset", "-c", core(), "true")
                        ? Optional.empty()
                        : Optional.of("there is no taskset here");
        };
    }

    /** What to put before a command that is to run on one core. */
    static List<String> onOneCore() {
        return List.of("taskset", "-c", core());
    }

    /** The last core that this process may use. */
    private static String core() {
        try (Stream<String> lines = Files.lines(Path.of("/proc/self/status"))) {
            return lines.filter(line -> line.startsWith(ALLOWED))
                    .map(line -> line.substring(ALLOWED.length()).trim())
                    .map(list -> list.substring(Math.max(list.lastIndexOf(','), list.lastIndexOf('-')) + 1))
                    .findFirst()
                    .orElse("0");
        } catch (IOException e) {
            return "0";
        }
    }
}
