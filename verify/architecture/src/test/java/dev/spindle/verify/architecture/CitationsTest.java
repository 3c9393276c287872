// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Documents cite tests that exist. */
class CitationsTest {
    @Test
    void broken_ofAllDocuments_isEmpty() {
        Repository repository = Repository.here();

        assertThat(new Citations(repository.sources()).broken(repository.documents()))
                .isEmpty();
    }

    @Test
    void broken_testThatIsNotThere_isNamed() {
        Source test = new Source("a/src/test/java/ATest.java", List.of("void claim_fullRing_waits() {}"));
        Source page = new Source(
                "a.md",
                List.of("`ATest`, `ATest#claim_fullRing_waits`, `#claim_*`", "`#claim_full`, `BTest` and `#run`"));

        assertThat(new Citations(List.of(test)).broken(List.of(page)))
                .containsExactly("a.md: `#claim_full` of ATest", "a.md: `BTest` of BTest", "a.md: `#run` of BTest");
    }
}
