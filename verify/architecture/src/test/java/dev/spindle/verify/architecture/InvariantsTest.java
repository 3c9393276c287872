// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class InvariantsTest {
    private static final String NOTE = "core/src/main/java/dev/spindle/Ring.java";
    private static final String CITED = "Ri" + "ng-"; // split, so that this file cites nothing

    private final Repository repository = Repository.here();

    @Test
    void citations_ofAllTexts_nameInvariantsInTheNoteOfTheirClass() throws IOException {
        Set<String> defined = Invariants.defined(repository.sources());
        List<Source> texts = new ArrayList<>(repository.sources());
        texts.addAll(repository.documents());
        String mutations = "verify/mutations/mutations.txt";
        texts.add(new Source(mutations, Files.readAllLines(repository.root().resolve(mutations))));

        assertThat(defined).hasSizeGreaterThan(100); // it finds them
        assertThat(Invariants.undefined(texts, defined)).isEmpty();
    }

    @Test
    void defined_notesOfOtherClassesAndOfTests_areLeftOut() {
        List<String> note = List.of("    /*", "     * " + CITED + "1  A slot has one owner.", "     */");

        assertThat(Invariants.defined(List.of(new Source(NOTE, note)))).containsExactly(CITED + "1");
        assertThat(Invariants.defined(List.of(
                        new Source(NOTE.replace("Ring", "Queue"), note),
                        new Source(NOTE.replace("main", "test"), note))))
                .isEmpty();
    }

    @Test
    void undefined_everySpelling_isFound() {
        Set<String> defined = Set.of(CITED + "1", CITED + "2");
        List<String> lines = List.of(
                "Apache-2.0 (" + CITED + "1, " + CITED + "2)", // all defined
                "as " + CITED + "3 says",
                "(" + CITED + "1 to 4)",
                "(" + CITED + "1, 5)",
                "Que" + "ue-1.");

        assertThat(Invariants.undefined(List.of(new Source("docs/a.md", lines)), defined))
                .containsExactly(
                        "docs/a.md:2: " + CITED + "3",
                        "docs/a.md:3: " + CITED + "3",
                        "docs/a.md:3: " + CITED + "4",
                        "docs/a.md:4: " + CITED + "5",
                        "docs/a.md:5: " + "Que" + "ue-1");
    }
}
