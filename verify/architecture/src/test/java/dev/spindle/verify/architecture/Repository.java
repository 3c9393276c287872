// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.architecture;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/** The Java sources and the documents below a directory, without the files of a build. */
public record Repository(Path root) {
    private static final Set<String> SKIPPED = Set.of("target", ".git", ".idea");
    private static final List<String> TEXTS = List.of(
            ".java",
            ".md",
            ".txt",
            ".yml",
            ".xml",
            ".properties",
            ".html",
            ".css",
            ".js",
            ".go",
            ".rs",
            ".sh",
            ".toml");

    /** Returns the repository of the working directory: the nearest parent with the settings of the reactor. */
    public static Repository here() {
        Path start = Path.of("").toAbsolutePath();
        for (Path directory = start; directory != null; directory = directory.getParent()) {
            if (Files.isDirectory(directory.resolve(".mvn"))) {
                return new Repository(directory);
            }
        }
        throw new IllegalStateException("no directory with .mvn above " + start);
    }

    /** Returns all Java sources, in the order of their paths. */
    List<Source> sources() {
        return files(".java");
    }

    /** Returns all Markdown files, in the order of their paths. */
    List<Source> documents() {
        return files(".md");
    }

    /** Returns the texts that are written by hand: sources of every language, documents, scripts and settings. */
    List<Source> texts() {
        return files(
                name -> TEXTS.stream().anyMatch(name::endsWith) || (!name.contains(".") && !name.equals("LICENSE")));
    }

    private List<Source> files(String ending) {
        return files(name -> name.endsWith(ending));
    }

    private List<Source> files(Predicate<String> wanted) {
        List<Source> found = new ArrayList<>();
        try {
            Files.walkFileTree(root, new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes) {
                    Path name = directory.getFileName();
                    boolean skip = name != null && SKIPPED.contains(name.toString());
                    return skip ? FileVisitResult.SKIP_SUBTREE : FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                    Path name = file.getFileName();
                    if (name != null && wanted.test(name.toString())) {
                        String path = root.relativize(file).toString().replace('\\', '/');
                        found.add(new Source(path, Files.readAllLines(file)));
                    }
                    return FileVisitResult.CONTINUE;
                }
            });
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
        Collections.sort(found);
        return List.copyOf(found);
    }
}
