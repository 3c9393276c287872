// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RouteFileTest {
    @TempDir
    private Path directory;

    private Path file() throws IOException {
        return Files.writeString(directory.resolve("g.yaml"), "one");
    }

    private static void append(Path file, String text) {
        try {
            Files.writeString(file, text, StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void h7_fileThatIsBeingWritten_isWaitedForUntilItHasNotChangedFor100Millis() throws Exception {
        Path path = file();
        RouteFile file = new RouteFile(path);
        append(path, "1");
        List<Long> waits = new ArrayList<>();

        assertThat(file.settle(time -> {
                    waits.add(time.toMillis());
                    if (waits.size() < 5) {
                        append(path, "2");
                    }
                    return false;
                }))
                .isTrue();
        assertThat(waits).containsExactly(100L, 100L, 100L, 100L, 100L);
        assertThat(file.hasChanged()).isFalse();
        append(path, "3");
        assertThat(file.hasChanged()).isTrue();
    }

    @Test
    void h7_waitingThatIsEnded_leavesTheFileUnseen() throws Exception {
        Path path = file();
        RouteFile file = new RouteFile(path);
        append(path, "1");

        assertThat(file.settle(time -> true)).isFalse();
        assertThat(file.hasChanged()).isTrue();
    }

    @Test
    void h7_fileOfTheSameSizeAndTime_isAnotherInItsPlace() throws Exception {
        Path path = file();
        FileTime time = FileTime.from(Instant.parse("2026-01-01T00:00:00.123456789Z"));
        Files.setLastModifiedTime(path, time);
        RouteFile file = new RouteFile(path);
        assertThat(file.hasChanged()).isFalse();
        Path next = Files.writeString(directory.resolve("next"), "two");
        Files.setLastModifiedTime(next, time);
        Files.move(next, path, StandardCopyOption.ATOMIC_MOVE);
        assertThat(file.hasChanged()).isTrue();

        assertThat(file.settle(pause -> false)).isTrue();
        Files.setLastModifiedTime(path, FileTime.from(time.toInstant().plusNanos(1_000)));
        assertThat(file.hasChanged()).isTrue();
    }

    @Test
    void h7_fileThatIsGoneAndComesBack_hasChangedBothTimes() throws Exception {
        Path path = file();
        RouteFile file = new RouteFile(path);
        Files.delete(path);
        assertThat(file.hasChanged()).isTrue();
        assertThat(file.settle(time -> false)).isTrue();
        assertThat(file.hasChanged()).isFalse();
        assertThat(file.isYoung()).isFalse();
        file();
        assertThat(file.hasChanged()).isTrue();
    }

    @Test
    void isYoung_ofAFile_isSoFor100Millis() throws Exception {
        Path path = file();
        Files.setLastModifiedTime(path, FileTime.from(Instant.now().minusMillis(150)));
        assertThat(new RouteFile(path).isYoung()).isFalse();
        Files.setLastModifiedTime(path, FileTime.from(Instant.now().plusSeconds(5)));
        assertThat(new RouteFile(path).isYoung()).isTrue();
    }
}
