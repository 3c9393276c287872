// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LinksTest {
    @Test
    void broken_fileOrHeadingThatIsNotThere_isNamed(@TempDir Path root) throws IOException {
        Files.createDirectories(root.resolve("docs"));
        Source readme =
                write(root, "README.md", "# A", "[a](docs/b.md) [b](docs/b.md#what-is-it) [c](#a) [d](http://x/y#z)");
        Source page =
                write(root, "docs/b.md", "## What, is `it`?", "[a](../README.md#b) ![c](c.svg \"c\")", "[d](#sh)");

        assertThat(Links.broken(List.of(readme, page), root))
                .containsExactly(
                        "docs/b.md: ](../README.md#b): no such heading",
                        "docs/b.md: ](c.svg \"c\"): no such file",
                        "docs/b.md: ](#sh): no such heading");
    }

    @Test
    void headings_insideCode_doNotCount() {
        assertThat(Links.headings(List.of("# One, and: two", "```sh", "# not this", "```", "### `K3` x")))
                .containsExactlyInAnyOrder("one-and-two", "k3-x");
    }

    private static Source write(Path root, String path, String... lines) throws IOException {
        Files.write(root.resolve(path), List.of(lines));
        return new Source(path, List.of(lines));
    }
}
