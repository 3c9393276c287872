// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class FaceTest {
    private static final List<String> PACKAGES = List.of(
            "dev.spindle",
            "dev.spindle.actor",
            "dev.spindle.channel",
            "dev.spindle.pipeline",
            "dev.spindle.flow",
            "dev.spindle.flow.limit",
            "dev.spindle.affinity",
            "dev.spindle.testkit",
            "dev.spindle.gateway",
            "dev.spindle.kafka",
            "dev.spindle.kafka.testkit",
            "dev.spindle.observe",
            "dev.spindle.observe.dashboard",
            "dev.spindle.spring");

    private static final String FIXTURE = "dev.spindle.verify.architecture.fixture";

    @Test
    void face_ofAllModules_isTheBaseline() throws IOException {
        JavaClasses classes = new ClassFileImporter()
                .withImportOption(new ImportOption.DoNotIncludeTests())
                .importPackages(PACKAGES);
        Path root = Repository.here().root();
        Path baseline = root.resolve("verify/architecture/face.txt");
        Path now = Files.createDirectories(root.resolve("verify/architecture/target"))
                .resolve("face.txt");
        Files.write(now, new Face(classes).lines(PACKAGES));

        assertThat(Files.readAllLines(now))
                .as(
                        "the public face; if the change is meant, write it into CHANGELOG.md and replace %s by %s",
                        root.relativize(baseline), root.relativize(now))
                .isEqualTo(Files.readAllLines(baseline));
    }

    @Test
    void lines_ofAFixture_haveItsPublicMethodsAlone() {
        JavaClasses classes = new ClassFileImporter().importPackages(FIXTURE);

        assertThat(new Face(classes).lines(List.of(FIXTURE + ".face")))
                .containsExactly(
                        FIXTURE + ".face: 3 types, 3 methods",
                        "  class Shown: Runnable",
                        "    named(String, int): List<String>",
                        "    static create(): Shown",
                        "  enum Shown.Kind ONE TWO",
                        "  record Shown.Value",
                        "    size(): int",
                        "all: 3 types, 3 methods");
    }
}
