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

    private static final String FAULTS = "verify/mutations/mutations.txt";

    /** The invariants without a planted fault. Only removals are allowed. */
    private static final List<String> WITHOUT_FAULT = List.of(
            "Batch-1",
            "Batch-3",
            "ConflatingBuffer-2",
            "Exchange-2",
            "Exchange-3",
            "LaneCore-4",
            "LatestLetter-1",
            "LatestLetter-2",
            "PublisherGate-1",
            "Stage-1");

    private final Repository repository = Repository.here();

    private List<String> faults() throws IOException {
        return Files.readAllLines(repository.root().resolve(FAULTS));
    }

    @Test
    void defined_exceptTheListed_haveAPlantedFault() throws IOException {
        Set<String> without = Invariants.defined(repository.sources());
        without.removeAll(Invariants.planted(faults()));

        assertThat(without).containsExactlyInAnyOrderElementsOf(WITHOUT_FAULT);
    }

    @Test
    void citations_ofAllTexts_nameInvariantsInTheNoteOfTheirClass() throws IOException {
        Set<String> defined = Invariants.defined(repository.sources());
        List<Source> texts = new ArrayList<>(repository.sources());
        texts.addAll(repository.documents());
        texts.add(new Source(FAULTS, faults()));

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
