// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.architecture;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Rules on the text of the sources. Each returns the places that break it. */
final class SourceRules {
    static final int MAX_LINES = 600;
    static final int MAX_COLUMNS = 120;
    static final int MAX_FILES = 30;
    static final List<String> HEADER =
            List.of("// Copyright 2026 The Spindle Authors", "// SPDX-License-Identifier: Apache-2.0");

    private static final Pattern SLEEP = Pattern.compile("\\b(Thread|TimeUnit\\.[A-Z]+|[A-Z]*SECONDS)\\.sleep\\s*\\(");
    private static final Pattern TOO_WIDE = Pattern.compile(".{" + (MAX_COLUMNS + 1) + "}");
    private static final Pattern WILDCARD = Pattern.compile("^import .*\\.\\*;");
    private static final Pattern LEFTOVER = Pattern.compile("\\b(TO" + "DO|FIX" + "ME)\\b|^\\s*\\*\\s*@author\\b");

    private static final Pattern CONSTANT =
            Pattern.compile("static final (?:int|long|double) [A-Z_]+ = ([0-9][0-9_.]*)L?;");

    // Split, so that this file passes.
    private static final Pattern PERSON =
            Pattern.compile("\\b([Ww]h" + "(o|oever|om)|([Ss]ome|[Nn]o|[Aa]ny)" + "body)\\b");
    private static final Pattern OF_PEOPLE = Pattern.compile(
            "(?i)\\b(people|persons?|users?|engineers?|developers?|contributors?|readers?|maintainers?|reviewers?"
                    + "|teams?)[ \\n*/#|]+wh" + "o\\b");

    private SourceRules() {}

    static List<String> tooLong(List<Source> sources) {
        return sources.stream()
                .filter(source -> source.lines().size() > MAX_LINES)
                .map(source -> source.path() + ": " + source.lines().size() + " lines, at most " + MAX_LINES)
                .collect(Collectors.toList());
    }

    /** Returns the lines that are too wide, also those of comments, which the formatter does not change. */
    static List<String> tooWide(List<Source> sources) {
        return matches(sources, TOO_WIDE);
    }

    static List<String> withoutHeader(List<Source> sources) {
        return sources.stream()
                .filter(source -> source.lines().size() < HEADER.size()
                        || !source.lines().subList(0, HEADER.size()).equals(HEADER))
                .map(Source::path)
                .collect(Collectors.toList());
    }

    static List<String> sleepsInTests(List<Source> sources) {
        return matches(sources.stream().filter(Source::isTest).collect(Collectors.toList()), SLEEP);
    }

    static List<String> wildcardImports(List<Source> sources) {
        return matches(sources, WILDCARD);
    }

    static List<String> leftovers(List<Source> sources) {
        return matches(sources, LEFTOVER);
    }

    /** Returns the lines with a pronoun for people, such as those for threads, tasks and callers. */
    static List<String> spokenOfAsPeople(List<Source> texts) {
        List<Source> others = texts.stream()
                .map(text -> new Source(text.path(), withoutPeople(text)))
                .collect(Collectors.toList());
        return matches(others, PERSON);
    }

    private static List<String> withoutPeople(Source text) {
        String others = OF_PEOPLE
                .matcher(text.text())
                .replaceAll(people -> "\n".repeat((int) people.group().lines().count() - 1));
        return List.of(others.split("\n", -1));
    }

    /** Returns the packages of main code whose package-info has no {@code @NullMarked}. */
    static List<String> notNullMarked(List<Source> sources) {
        Map<String, Boolean> marked = new TreeMap<>();
        for (Source source : sources) {
            if (source.path().contains("src/main/java/") && !source.fileName().equals("module-info.java")) {
                boolean says = source.fileName().equals("package-info.java")
                        && source.lines().contains("@NullMarked");
                marked.merge(source.directory(), says, Boolean::logicalOr);
            }
        }
        return marked.entrySet().stream()
                .filter(entry -> !entry.getValue())
                .map(Map.Entry::getKey)
                .collect(Collectors.toList());
    }

    /** Returns the packages of main code with too many files. */
    static List<String> crowded(List<Source> sources) {
        Map<String, Integer> files = new TreeMap<>();
        sources.stream()
                .filter(source -> source.path().contains("src/main/java/"))
                .forEach(source -> files.merge(source.directory(), 1, Integer::sum));
        return files.entrySet().stream()
                .filter(entry -> entry.getValue() > MAX_FILES)
                .map(entry -> entry.getKey() + ": " + entry.getValue() + " files, at most " + MAX_FILES)
                .collect(Collectors.toList());
    }

    /**
     * Returns the constants of main code that are numbers above 2, or fractions, and whose comment does not say how the
     * number was measured, or that it was not. Bits are written as shifts, and derived numbers as expressions.
     */
    static List<String> ofUnknownOrigin(List<Source> sources) {
        List<String> found = new ArrayList<>();
        for (Source source : sources) {
            StringBuilder comment = new StringBuilder();
            for (String text : source.isTest() ? List.<String>of() : source.lines()) {
                Matcher constant = CONSTANT.matcher(text);
                if (constant.find()) {
                    double value =
                            Double.parseDouble(String.valueOf(constant.group(1)).replace("_", ""));
                    boolean trivial = value <= 2 && value == Math.rint(value);
                    if (!trivial && !(comment + text).contains("easured")) {
                        found.add(source.path() + ": " + text.strip());
                    }
                }
                if (!text.isBlank() && "/*".indexOf(text.strip().charAt(0)) >= 0) {
                    comment.append(text.strip());
                } else {
                    comment.setLength(0);
                }
            }
        }
        return found;
    }

    private static List<String> matches(List<Source> sources, Pattern pattern) {
        List<String> found = new ArrayList<>();
        for (Source source : sources) {
            for (int line = 0; line < source.lines().size(); line++) {
                String text = source.lines().get(line);
                if (pattern.matcher(text).find()) {
                    found.add(source.path() + ":" + (line + 1) + ": " + text.strip());
                }
            }
        }
        return found;
    }
}
