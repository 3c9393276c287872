// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.architecture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import java.util.List;
import org.junit.jupiter.api.Test;

class SnippetsTest {
    @Test
    void ofSource_regions_loseTheirCommonIndentation() {
        List<String> source = List.of(
                "    // snippet: a",
                "    if (x) {",
                "        y();",
                "    }",
                "    // end",
                "z();",
                "// snippet: b",
                "// end");

        assertThat(Snippets.ofSource(source)).containsExactly(entry("a", "if (x) {\n    y();\n}"), entry("b", ""));
    }

    @Test
    void ofSource_regionWithoutEnd_isRefused() {
        assertThatThrownBy(() -> Snippets.ofSource(List.of("// snippet: a", "x();")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("snippet a has no line '// end'");
    }

    @Test
    void ofSource_nameUsedTwice_isRefused() {
        assertThatThrownBy(() -> Snippets.ofSource(List.of("// snippet: a", "// end", "// snippet: a", "// end")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("two snippets named a");
    }

    @Test
    void ofMarkdown_javaBlocks_areNamedByTheCommentBefore() {
        List<String> text = List.of("```sh", "ls", "```", "<!-- snippet: a -->", "```java", "x();", "", "y();", "```");

        assertThat(Snippets.ofMarkdown(text)).containsExactly(entry("a", "x();\n\ny();"));
    }

    @Test
    void ofMarkdown_javaBlockWithAReasonNotToBeCompiled_isLeftOut() {
        List<String> text = List.of("<!-- not compiled: needs JDK 21 -->", "```java", "x();", "```");

        assertThat(Snippets.ofMarkdown(text)).isEmpty();
    }

    @Test
    void ofMarkdown_javaBlockWithoutName_isRefused() {
        assertThatThrownBy(() -> Snippets.ofMarkdown(List.of("text", "```java", "x();", "```")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("line 2 has no line '<!-- snippet: name -->'");
    }
}
