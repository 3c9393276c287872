// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.architecture.steps;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The number of steps that a task takes through the library, so that no change adds a step unseen. A change that takes
 * steps away lowers the numbers here. The program runs with one processor, since workers then do not spin.
 */
@Timeout(300)
class StepsTest {
    /**
     * For each walk the maximum of each {@link Step}, and of the classes of which a method is called. The first two
     * walks make 9 calls less if the worker has no run queue yet.
     */
    private static final List<String> MOST = List.of(
            "plain,alone,123,4,0,6,1,0,26",
            "key,alone,146,7,0,6,1,1,30",
            "handle,alone,152,7,0,6,1,1,30",
            "coalescing,alone,188,11,3,6,4,3,35",
            "future,alone,167,9,0,6,4,3,32",
            "logical,alone,163,13,0,6,1,0,26",
            "plain,flood,44,4.1,0.1,0.6,1.1,0.1,31",
            "key,flood,24,2.3,0.2,0.6,0.1,0.3,35",
            "handle,flood,28,2.3,0.2,0.6,0.1,0.3,35",
            "future,flood,44,4.3,0.2,0.6,3.1,2.3,37",
            "logical,flood,44,8.2,0.1,0.6,0.1,0.1,33");

    private static final List<String> NAMES =
            List.of("calls", "atomic steps", "accesses of handles", "clock", "thread", "objects", "classes");

    @TempDir
    Path folder;

    @Test
    void steps_ofEachWalk_areNoMoreThanBefore() throws Exception {
        SoftAssertions softly = compareAll();
        for (int again = 0; again < 2 && !softly.errorsCollected().isEmpty(); again++) {
            softly = compareAll(); // on a busy machine a flood also counts more looks at the workers
        }
        softly.assertAll();
    }

    private SoftAssertions compareAll() throws Exception {
        List<String> lines = walk();
        assertThat(lines).hasSameSizeAs(MOST);
        SoftAssertions softly = new SoftAssertions();
        MOST.forEach(most -> compare(softly, most, lines));
        return softly;
    }

    private static void compare(SoftAssertions softly, String most, List<String> lines) {
        String[] limits = most.split(",", -1);
        String walk = limits[0] + "," + limits[1] + ",";
        String line = lines.stream().filter(of -> of.startsWith(walk)).findAny().orElse("");
        String[] figures = line.split(",", -1);
        softly.assertThat(figures).as(walk).hasSameSizeAs(limits);
        for (int i = 2; i < figures.length && i < limits.length; i++) {
            String step = NAMES.get(i - 2);
            softly.assertThat(Double.parseDouble(figures[i]))
                    .as("%s of %s now %s, before %s", step, walk, line, most)
                    .isLessThanOrEqualTo(Double.parseDouble(limits[i]));
        }
    }

    private List<String> walk() throws Exception {
        Path output = folder.resolve("output");
        String java = Path.of(requireNonNull(System.getProperty("java.home")), "bin", "java")
                .toString();
        Process process = new ProcessBuilder(
                        java,
                        "-XX:ActiveProcessorCount=1",
                        "-cp",
                        requireNonNull(System.getProperty("java.class.path")),
                        CountingLoader.class.getName())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        boolean ended = process.waitFor(100, TimeUnit.SECONDS);
        process.destroyForcibly();
        List<String> lines = Files.readAllLines(output, StandardCharsets.UTF_8);
        assertThat(ended).as("%s", lines).isTrue();
        assertThat(process.exitValue()).as("%s", lines).isZero();
        return lines;
    }
}
