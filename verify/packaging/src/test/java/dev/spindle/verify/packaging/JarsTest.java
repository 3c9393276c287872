// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.packaging;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.lang.module.ModuleFinder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** No jar that is published lacks its licence, its title or its version. */
class JarsTest {
    @Test
    void jars_thatArePublished_haveLicenceTitleAndVersion() throws IOException {
        Jars.require();
        List<String> broken = new ArrayList<>();
        for (String module : Jars.modules()) {
            assertThat(Jars.allOf(module)).hasSizeGreaterThanOrEqualTo(2); // its classes and its sources
            for (Path jar : Jars.allOf(module)) {
                broken.addAll(JarRules.broken(jar, Jars.ROOT, Jars.VERSION));
            }
        }

        assertThat(Jars.modules()).contains("core", "kafka", "affinity");
        assertThat(broken).isEmpty();
    }

    @Test
    void jars_thatArePublished_haveModuleNames() throws IOException {
        Jars.require();
        for (String module : Jars.modules()) {
            assertThat(ModuleFinder.of(Jars.of(module)).findAll())
                    .singleElement()
                    .satisfies(found ->
                            assertThat(found.descriptor().name()).isEqualTo("dev.spindle." + module.replace('-', '.')));
        }
    }

    @Test
    void broken_jarWithoutAnything_namesEachRule(@TempDir Path folder) throws IOException {
        Path jar = write(folder.resolve("bare.jar"), new Manifest());

        assertThat(JarRules.broken(jar, Jars.ROOT, "1"))
                .containsExactly(
                        "bare.jar: no META-INF/LICENSE",
                        "bare.jar: no META-INF/NOTICE",
                        "bare.jar: no Implementation-Title in the manifest",
                        "bare.jar: no Specification-Title in the manifest",
                        "bare.jar: Implementation-Version is not 1",
                        "bare.jar: no Specification-Version in the manifest");
    }

    @Test
    void broken_anotherLicenceOrVersion_isNamed(@TempDir Path folder) throws IOException {
        Manifest manifest = new Manifest();
        Attributes attributes = manifest.getMainAttributes();
        attributes.put(Attributes.Name.MANIFEST_VERSION, "1.0");
        attributes.put(Attributes.Name.IMPLEMENTATION_TITLE, "Spindle Core");
        attributes.put(Attributes.Name.SPECIFICATION_TITLE, "Spindle Core");
        attributes.put(Attributes.Name.IMPLEMENTATION_VERSION, "2");
        attributes.put(Attributes.Name.SPECIFICATION_VERSION, "2");
        Path jar = write(folder.resolve("other.jar"), manifest, "META-INF/LICENSE", "META-INF/NOTICE");

        assertThat(JarRules.broken(jar, Jars.ROOT, "1"))
                .containsExactly(
                        "other.jar: META-INF/LICENSE is not that of the repository",
                        "other.jar: META-INF/NOTICE is not that of the repository",
                        "other.jar: Implementation-Version is not 1");
    }

    private static Path write(Path jar, Manifest manifest, String... entries) throws IOException {
        try (OutputStream file = Files.newOutputStream(jar);
                JarOutputStream out = new JarOutputStream(file, manifest)) {
            for (String entry : entries) {
                out.putNextEntry(new ZipEntry(entry));
            }
        }
        return jar;
    }
}
