// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.packaging;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The built jars and poms: those of this build, as far as they are published, and the libraries that they bring. */
final class Jars {
    static final Path ROOT = root();
    static final String VERSION = property("packaging.version");

    private static final Pattern ARTIFACT = Pattern.compile("<artifactId>spindle-([\\w-]+)</artifactId>");

    private Jars() {}

    /** Skips a test in a build that makes no jars, such as {@code mvn test}. */
    static void require() {
        assumeTrue(
                classPath().stream().noneMatch(entry -> Files.isDirectory(entry) && entry.endsWith("target/classes")),
                "there are no jars before the phase package: run mvn verify");
    }

    /** Returns the names of the published modules, in the order of the BOM. */
    static List<String> modules() throws IOException {
        List<String> found = new ArrayList<>();
        Matcher artifact = ARTIFACT.matcher(Files.readString(ROOT.resolve("bom/pom.xml")));
        while (artifact.find()) {
            String module = artifact.group(1);
            if (module != null && !List.of("parent", "bom").contains(module)) {
                found.add(module);
            }
        }
        return found;
    }

    /** Returns the jar of a published module, which is on the class path. */
    static Path of(String module) {
        return classPath().stream()
                .filter(entry -> entry.endsWith("spindle-" + module + "-" + VERSION + ".jar"))
                .findFirst()
                .orElseThrow(() -> new AssertionError("spindle-" + module + " is missing in verify/packaging/pom.xml"));
    }

    /** Returns all jars of a published module: its own, and those of its sources and its Javadoc if they were built. */
    static List<Path> allOf(String module) throws IOException {
        List<Path> found = new ArrayList<>();
        Path folder = of(module).getParent();
        if (folder != null) {
            try (DirectoryStream<Path> jars =
                    Files.newDirectoryStream(folder, "spindle-" + module + "-" + VERSION + "*.jar")) {
                jars.forEach(found::add);
            }
        }
        return found;
    }

    /** Returns the libraries on the class path whose file begins with one of {@code names}. */
    static List<Path> libraries(String... names) {
        return classPath().stream()
                .filter(entry -> {
                    Path file = entry.getFileName();
                    return file != null && List.of(names).stream().anyMatch(file.toString()::startsWith);
                })
                .toList();
    }

    static List<Path> classPath() {
        return Pattern.compile(File.pathSeparator, Pattern.LITERAL)
                .splitAsStream(property("java.class.path"))
                .map(Path::of)
                .toList();
    }

    static String property(String name) {
        String value = System.getProperty(name);
        if (value == null) {
            throw new IllegalStateException("the property " + name + " is missing: run this through Maven");
        }
        return value;
    }

    private static Path root() {
        Path directory = Path.of("").toAbsolutePath();
        while (directory != null && !Files.isDirectory(directory.resolve(".mvn"))) {
            directory = directory.getParent();
        }
        if (directory == null) {
            throw new IllegalStateException("no directory with .mvn above the working directory");
        }
        return directory;
    }
}
