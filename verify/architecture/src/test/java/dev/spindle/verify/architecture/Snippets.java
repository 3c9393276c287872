// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.architecture;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Named pieces of code from a source or a document. */
final class Snippets {
    private static final Pattern BEGIN = Pattern.compile("\\s*// snippet: (\\S+)");
    private static final Pattern END = Pattern.compile("\\s*// end");
    private static final Pattern MARKER = Pattern.compile("<!-- snippet: (\\S+) -->");
    private static final Pattern NOT_COMPILED = Pattern.compile("<!-- not compiled: .+ -->");
    private static final String FENCE = "```";

    private Snippets() {}

    /** Returns the regions between {@code // snippet: name} and {@code // end}, without their common indentation. */
    static Map<String, String> ofSource(List<String> lines) {
        Map<String, String> found = new LinkedHashMap<>();
        for (int line = 0; line < lines.size(); line++) {
            Matcher begin = BEGIN.matcher(lines.get(line));
            if (begin.matches()) {
                String name = begin.replaceFirst("$1");
                List<String> region = new ArrayList<>();
                while (++line < lines.size() && !END.matcher(lines.get(line)).matches()) {
                    region.add(lines.get(line));
                }
                if (line == lines.size()) {
                    throw new IllegalArgumentException("snippet " + name + " has no line '// end'");
                }
                add(found, name, String.join("\n", region).stripIndent());
            }
        }
        return found;
    }

    /**
     * Returns the Java blocks of a Markdown text, by the names in the comments on the lines before them, without those
     * that have a reason there not to be compiled.
     */
    static Map<String, String> ofMarkdown(List<String> lines) {
        Map<String, String> found = new LinkedHashMap<>();
        for (int line = 0; line < lines.size(); line++) {
            String before = line == 0 ? "" : lines.get(line - 1);
            if (lines.get(line).equals(FENCE + "java")
                    && !NOT_COMPILED.matcher(before).matches()) {
                Matcher marker = MARKER.matcher(before);
                if (!marker.matches()) {
                    throw new IllegalArgumentException("the Java block in line " + (line + 1)
                            + " has no line '<!-- snippet: name -->' before it, so nothing compiles it");
                }
                List<String> block = new ArrayList<>();
                while (++line < lines.size() && !lines.get(line).equals(FENCE)) {
                    block.add(lines.get(line));
                }
                add(found, marker.replaceFirst("$1"), String.join("\n", block));
            }
        }
        return found;
    }

    private static void add(Map<String, String> found, String name, String code) {
        if (found.putIfAbsent(name, code) != null) {
            throw new IllegalArgumentException("there are two snippets named " + name);
        }
    }
}
