// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway.loop;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The properties of a file that change when the file is written or replaced by another file.
 *
 * @param time the time of the last change
 * @param size the size in bytes
 * @param key the identity of the file in its file system; null if it has none
 */
public record FileState(Instant time, long size, @Nullable Object key) {
    private static final FileState NONE = new FileState(Instant.MIN, -1, null);

    /** Returns the state of a file; a file that cannot be read has a special state. */
    public static FileState of(Path path) {
        try {
            BasicFileAttributes attributes = Files.readAttributes(path, BasicFileAttributes.class);
            return new FileState(attributes.lastModifiedTime().toInstant(), attributes.size(), attributes.fileKey());
        } catch (IOException e) {
            return NONE;
        }
    }
}
