// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.packaging;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.Manifest;

/** The rules for a jar that is published: licence, notice, title and version. */
final class JarRules {
    private static final List<Attributes.Name> TITLES =
            List.of(Attributes.Name.IMPLEMENTATION_TITLE, Attributes.Name.SPECIFICATION_TITLE);

    private JarRules() {}

    /** Returns the rules that a jar breaks, each with the name of the jar. */
    static List<String> broken(Path jar, Path root, String version) throws IOException {
        List<String> broken = new ArrayList<>();
        try (JarFile opened = new JarFile(jar.toFile())) {
            for (String text : List.of("LICENSE", "NOTICE")) {
                JarEntry entry = opened.getJarEntry("META-INF/" + text);
                if (entry == null) {
                    broken.add(jar.getFileName() + ": no META-INF/" + text);
                } else if (!read(opened, entry).equals(Files.readString(root.resolve(text)))) {
                    broken.add(jar.getFileName() + ": META-INF/" + text + " is not that of the repository");
                }
            }
            Manifest manifest = opened.getManifest();
            Attributes attributes = manifest == null ? new Attributes() : manifest.getMainAttributes();
            for (Attributes.Name title : TITLES) {
                if (!attributes.getOrDefault(title, "").toString().startsWith("Spindle ")) {
                    broken.add(jar.getFileName() + ": no " + title + " in the manifest");
                }
            }
            if (!version.equals(attributes.get(Attributes.Name.IMPLEMENTATION_VERSION))) {
                broken.add(jar.getFileName() + ": Implementation-Version is not " + version);
            }
            if (!attributes.containsKey(Attributes.Name.SPECIFICATION_VERSION)) {
                broken.add(jar.getFileName() + ": no Specification-Version in the manifest");
            }
        }
        return broken;
    }

    private static String read(JarFile jar, JarEntry entry) throws IOException {
        try (InputStream bytes = jar.getInputStream(entry)) {
            return new String(Objects.requireNonNull(bytes).readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
