// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.architecture;

import static java.util.Objects.requireNonNull;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Links of Markdown texts to files of the repository, and to headings in them. */
final class Links {
    /** The target: a file, a heading after {@code #}, or both. */
    private static final Pattern LINK =
            Pattern.compile("]\\((?!https?:)([^)#\\s]*)(?:#([^)\\s]*))?(?: \"[^\"]*\")?\\)");

    private static final Pattern HEADING = Pattern.compile("#+ (.*)");

    private Links() {}

    /** Returns the links of all texts, in their order. */
    static List<String> of(List<Source> documents) {
        return documents.stream()
                .flatMap(document -> LINK.matcher(document.text()).results())
                .map(link -> requireNonNull(link.group()))
                .collect(Collectors.toList());
    }

    /** Returns the links without a target, each with its text. */
    static List<String> broken(List<Source> documents, Path root) {
        List<String> broken = new ArrayList<>();
        for (Source document : documents) {
            Matcher link = LINK.matcher(document.text());
            while (link.find()) {
                String file = requireNonNull(link.group(1));
                String heading = link.group(2);
                Path from = Path.of(document.path());
                Path target = file.isEmpty() ? from : from.resolveSibling(file).normalize();
                if (!Files.exists(root.resolve(target))) {
                    broken.add(document.path() + ": " + link.group() + ": no such file");
                } else if (heading != null && !hasHeading(documents, target, heading)) {
                    broken.add(document.path() + ": " + link.group() + ": no such heading");
                }
            }
        }
        return broken;
    }

    private static boolean hasHeading(List<Source> documents, Path target, String heading) {
        String path = target.toString().replace('\\', '/');
        return documents.stream()
                .filter(document -> document.path().equals(path))
                .anyMatch(document -> headings(document.lines()).contains(heading));
    }

    /** Returns the anchors that the usual hosts give to the headings of a text. */
    static Set<String> headings(List<String> lines) {
        Set<String> names = new HashSet<>();
        boolean code = false;
        for (String line : lines) {
            code ^= line.startsWith("```");
            Matcher heading = HEADING.matcher(line);
            if (!code && heading.matches()) {
                names.add(requireNonNull(heading.group(1))
                        .toLowerCase(Locale.ROOT)
                        .replaceAll("[^\\p{L}\\p{N} _-]", "")
                        .replace(' ', '-'));
            }
        }
        return names;
    }
}
