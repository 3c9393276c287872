// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.w3c.dom.NodeList;

/** The handwritten class paths of the launcher have the dependencies of their modules' poms, and of those they use. */
class ClassPathsTest {
    private static final Path ROOT = Path.of("../..");

    /** Annotations that no program reads. */
    private static final Set<String> COMPILED_AGAINST = Set.of("jspecify");

    @ParameterizedTest
    @ValueSource(strings = {"demo", "demo/gateway", "verify/torture"})
    void classPath_ofAModule_holdsEachOfItsDependencies(String module) throws Exception {
        String classPath = Files.readString(ROOT.resolve(module).resolve("src/launcher/launcher.classpath"));

        assertThat(dependencies(ROOT.resolve(module).resolve("pom.xml")))
                .isNotEmpty()
                .allSatisfy(entry -> assertThat(classPath).contains(entry));
    }

    /** Returns a part of the entry of each dependency, also of those of other modules, except for those of tests. */
    private static List<String> dependencies(Path pom) throws Exception {
        NodeList all = DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(pom.toFile())
                .getElementsByTagName("dependency");
        List<String> entries = new ArrayList<>();
        for (int i = 0; i < all.getLength(); i++) {
            Element dependency = (Element) Objects.requireNonNull(all.item(i));
            String artifact = text(dependency, "artifactId");
            boolean mayBeAbsent = text(dependency, "optional").equals("true");
            if (!text(dependency, "scope").equals("test") && !mayBeAbsent && !COMPILED_AGAINST.contains(artifact)) {
                String classifier = text(dependency, "classifier");
                String module = artifact.startsWith("spindle-") ? artifact.substring("spindle-".length()) : "";
                entries.add(module.isEmpty() ? "/" + artifact + "/" : "/" + module + "/target/classes");
                if (!module.isEmpty()) {
                    entries.addAll(dependencies(ROOT.resolve(module).resolve("pom.xml")));
                }
                if (!classifier.isEmpty()) {
                    entries.add("-" + classifier + ".jar");
                }
            }
        }
        return entries;
    }

    private static String text(Element parent, String name) {
        Node found = parent.getElementsByTagName(name).item(0);
        return found == null ? "" : Objects.requireNonNull(found.getTextContent());
    }
}
