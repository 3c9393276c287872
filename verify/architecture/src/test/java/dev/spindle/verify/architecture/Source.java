// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.architecture;

import java.util.List;

/** A Java source or a document: its path from the root of the repository, with slashes, and its lines. */
record Source(String path, List<String> lines) implements Comparable<Source> {
    boolean isTest() {
        return path.contains("/src/test/") || path.startsWith("src/test/") || path.contains("/src/fixtures/");
    }

    String directory() {
        int slash = path.lastIndexOf('/');
        return slash < 0 ? "" : path.substring(0, slash);
    }

    String fileName() {
        return path.substring(path.lastIndexOf('/') + 1);
    }

    String text() {
        return String.join("\n", lines);
    }

    @Override
    public int compareTo(Source other) {
        return path.compareTo(other.path);
    }
}
