// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.forks;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The raw figures as CSV, a line for each fork. */
public final class RawFile {
    private static final String HEAD = "round,cell,contender,problem";
    private static final Pattern LINE = Pattern.compile("(\\d+),([^,]*),([^,]*),\"([^\"]*)\"((?:,[^,]*)*)");

    private RawFile() {}

    /**
     * A line.
     *
     * @param problem why there are no figures; empty when there are
     * @param fields the figures by name; empty when there are none
     */
    public record Row(int round, String cell, String contender, String problem, Map<String, String> fields) {}

    /** The first line. */
    public static String head(Collection<String> columns) {
        StringBuilder text = new StringBuilder(HEAD);
        columns.forEach(column -> text.append(',').append(column));
        return text.append('\n').toString();
    }

    /** The line of a fork. Figures that it does not have are empty columns. */
    public static String line(Row row, Collection<String> columns) {
        StringBuilder text = new StringBuilder();
        text.append(row.round()).append(',').append(row.cell());
        text.append(',').append(row.contender());
        text.append(",\"").append(row.problem().replace('"', '\'').replace('\n', ' '));
        text.append('"');
        columns.forEach(column -> text.append(',').append(row.fields().getOrDefault(column, "")));
        return text.append('\n').toString();
    }

    /**
     * Reads such a file.
     *
     * @throws IllegalArgumentException if the lines are something else; the message holds the line
     */
    public static List<Row> parse(List<String> lines) {
        List<Row> rows = new ArrayList<>();
        if (lines.isEmpty()) {
            return rows;
        }
        if (!lines.get(0).startsWith(HEAD)) {
            throw new IllegalArgumentException(
                    "the first line must begin with '" + HEAD + "', is '" + lines.get(0) + "'");
        }
        String[] columns = lines.get(0).substring(HEAD.length()).split(",", -1);
        for (String line : lines.subList(1, lines.size())) {
            Matcher matcher = LINE.matcher(line);
            if (!matcher.matches()) {
                throw new IllegalArgumentException("no round, cell, contender and problem in the line '" + line + "'");
            }
            String[] values = group(matcher, 5).split(",", -1);
            if (values.length != columns.length) {
                throw new IllegalArgumentException(columns.length - 1 + " figures expected in the line '" + line + "'");
            }
            Map<String, String> fields = new LinkedHashMap<>();
            for (int column = 1; column < columns.length; column++) {
                if (!values[column].isEmpty()) {
                    fields.put(columns[column], values[column]);
                }
            }
            rows.add(new Row(
                    Integer.parseInt(group(matcher, 1)),
                    group(matcher, 2),
                    group(matcher, 3),
                    group(matcher, 4),
                    fields));
        }
        return rows;
    }

    private static String group(Matcher matcher, int number) {
        return Objects.requireNonNull(matcher.group(number), "a group that always matches");
    }
}
