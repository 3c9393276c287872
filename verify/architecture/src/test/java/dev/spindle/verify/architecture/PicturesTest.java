// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The pictures of the documents show what the tables say that follow them. A picture is drawn from the column that its
 * title names: {@code ![caption](../pictures/file.svg "column, less is better")}. After a change of a table {@code
 * MAVEN_ARGS=-Dpictures=write .ci/test PicturesTest} draws them anew.
 */
class PicturesTest {
    private static final Path DOCUMENTS = Path.of("..", "..", "docs");
    private static final Path PICTURES = Path.of("..", "..", "docs", "pictures");

    /** Drawn by hand, for the README and docs/models.md. */
    private static final List<String> BY_HAND = List.of("idea.svg", "models.svg", "threads.svg");

    private static final Pattern PICTURE =
            Pattern.compile("!\\[(.+)]\\((?:\\.\\./)?pictures/(\\S+\\.svg) \"(.+), (more|less) is better\"\\)");
    private static final Pattern FIGURE = Pattern.compile("([\\d.,]+) \\[([\\d.,]+) to ([\\d.,]+)]");

    @Test
    void pictures_showWhatTheTablesSay() throws IOException {
        List<String> drawn = new ArrayList<>();
        for (Path document : documents()) {
            List<String> lines = Files.readAllLines(document);
            for (int i = 0; i < lines.size(); i++) {
                Matcher picture = PICTURE.matcher(lines.get(i));
                if (picture.matches()) {
                    Path file = PICTURES.resolve(group(picture, 2));
                    String svg = bars(picture, table(lines, i + 1)).svg();
                    if ("write".equals(System.getProperty("pictures"))) {
                        Files.createDirectories(PICTURES);
                        Files.writeString(file, svg);
                    }
                    assertThat(file).as("%s, line %d", document, i + 1).hasContent(svg);
                    drawn.add(group(picture, 2));
                }
            }
        }

        drawn.addAll(BY_HAND);
        assertThat(drawn).doesNotHaveDuplicates().containsExactlyInAnyOrderElementsOf(files(PICTURES, ".svg"));
    }

    private static List<Path> documents() throws IOException {
        List<Path> documents = new ArrayList<>();
        for (Path folder : List.of(DOCUMENTS, DOCUMENTS.resolve("results"))) {
            files(folder, ".md").forEach(name -> documents.add(folder.resolve(name)));
        }
        return documents;
    }

    private static List<String> files(Path folder, String ending) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> String.valueOf(file.getFileName()))
                    .filter(name -> name.endsWith(ending))
                    .sorted()
                    .toList();
        }
    }

    /** The cells of the first table from a line on, its head first. */
    private static List<List<String>> table(List<String> lines, int from) {
        return lines.stream()
                .skip(from)
                .dropWhile(line -> !line.startsWith("|"))
                .takeWhile(line -> line.startsWith("|"))
                .map(line -> Arrays.stream(line.substring(1).split("\\|"))
                        .map(cell -> cell.strip().replace("`", ""))
                        .toList())
                .toList();
    }

    private static Bars bars(Matcher picture, List<List<String>> table) {
        int column = table.get(0).indexOf(group(picture, 3));
        assertThat(column)
                .as("column '%s' of %s", group(picture, 3), table.get(0))
                .isPositive();
        List<Bars.Bar> bars = table.stream()
                .flatMap(row -> bar(row.get(0), row.get(column)).stream())
                .toList();
        assertThat(bars).hasSizeGreaterThan(2);
        return new Bars(group(picture, 1), group(picture, 4).equals("more"), bars);
    }

    private static Bars.Kind kind(String contender) {
        String name = contender.toLowerCase(Locale.ROOT);
        if (name.contains("limit") || name.equals("feeders")) {
            return Bars.Kind.LIMIT;
        }
        return name.startsWith("spindle") ? Bars.Kind.OURS : Bars.Kind.PEER;
    }

    private static Optional<Bars.Bar> bar(String name, String cell) {
        Matcher figure = FIGURE.matcher(cell);
        return figure.matches()
                ? Optional.of(new Bars.Bar(
                        name, kind(name), number(group(figure, 1)), number(group(figure, 2)), number(group(figure, 3))))
                : Optional.empty();
    }

    private static String group(Matcher matched, int number) {
        return Objects.requireNonNull(matched.group(number), "no group of these patterns is optional");
    }

    private static double number(String digits) {
        return Double.parseDouble(digits.replace(",", ""));
    }
}
