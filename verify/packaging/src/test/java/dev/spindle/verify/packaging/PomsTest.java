// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.packaging;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Node;

/** The poms say what a reader of a repository of artifacts looks for. */
class PomsTest {
    @Test
    void rootPom_namesLicenceScmAndUrl() throws Exception {
        Document root = parse(Jars.ROOT.resolve("pom.xml"));

        assertThat(List.of("url", "licenses", "scm", "developers", "organization", "description"))
                .allSatisfy(name -> assertThat(children(root, name)).hasSize(1));
        assertThat(text(children(root, "scm").get(0)))
                .contains("scm:git:" + text(children(root, "url").get(0)));
    }

    /** Otherwise Maven appends the name of the module to each inherited address. */
    @Test
    void rootPom_addresses_areInheritedAsTheyAre() throws IOException {
        assertThat(Files.readString(Jars.ROOT.resolve("pom.xml")))
                .contains(
                        "child.project.url.inherit.append.path=\"false\"",
                        "child.scm.connection.inherit.append.path=\"false\"",
                        "child.scm.developerConnection.inherit.append.path=\"false\"",
                        "child.scm.url.inherit.append.path=\"false\"");
    }

    @Test
    void modulePoms_haveNameAndDescription() throws Exception {
        for (String module : Jars.modules()) {
            Document pom = parse(Jars.ROOT.resolve(module + "/pom.xml"));
            assertThat(children(pom, "name")).as(module).hasSize(1);
            assertThat(children(pom, "description")).as(module).hasSize(1);
        }
    }

    /** What tests share is sources, in core/src/fixtures: a jar of tests would be installed and published. */
    @Test
    void noPom_makesAJarOfTests() throws IOException {
        List<String> found = new ArrayList<>();
        try (Stream<Path> files = Files.walk(Jars.ROOT, 3)) {
            for (Path pom : files.filter(file -> file.endsWith("pom.xml")).toList()) {
                if (Files.readString(pom).contains("test-jar")) {
                    found.add(Jars.ROOT.relativize(pom).toString());
                }
            }
        }

        assertThat(found).isEmpty();
    }

    private static Document parse(Path pom) throws Exception {
        return DocumentBuilderFactory.newDefaultInstance().newDocumentBuilder().parse(pom.toFile());
    }

    private static List<Node> children(Document pom, String name) {
        List<Node> found = new ArrayList<>();
        for (Node node = pom.getDocumentElement().getFirstChild(); node != null; node = node.getNextSibling()) {
            if (node.getNodeName().equals(name)) {
                found.add(node);
            }
        }
        return found;
    }

    private static String text(Node node) {
        return Objects.requireNonNull(node.getTextContent()).strip();
    }
}
