// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.commands;

import java.lang.reflect.AnnotatedElement;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;

/** Checks the numeric options of commands against their {@link Range} annotations. */
final class Ranges {
    private Ranges() {}

    /** Throws an exception for the first option whose value is out of range. */
    static void check(CommandSpec spec) {
        for (OptionSpec option : spec.options()) {
            Range range = of(option);
            Object value = option.getValue();
            if (range != null && value instanceof Number number && !contains(range, number)) {
                throw new ParameterException(
                        spec.commandLine(),
                        "Invalid value for option '" + option.longestName() + "': " + typed(option, value) + " is not "
                                + text(range));
            }
        }
    }

    private static Object typed(OptionSpec option, Object value) {
        List<String> words = option.stringValues();
        return words.isEmpty() ? value : words.get(words.size() - 1);
    }

    /** Adds the range of each option to its help. */
    static void describe(CommandLine line) {
        CommandSpec spec = line.getCommandSpec();
        for (OptionSpec option : List.copyOf(spec.options())) {
            spec.remove(option); // replaces every option, which keeps their order in the help
            spec.addOption(described(option));
        }
        line.getSubcommands().values().forEach(Ranges::describe);
    }

    private static OptionSpec described(OptionSpec option) {
        Range range = of(option);
        if (range == null) {
            return option;
        }
        String[] lines = option.description().clone();
        lines[lines.length - 1] += " Takes numbers " + text(range) + ".";
        return OptionSpec.builder(option).description(lines).build();
    }

    static @Nullable Range of(ArgSpec option) {
        return option.userObject() instanceof AnnotatedElement element ? element.getAnnotation(Range.class) : null;
    }

    static String text(Range range) {
        return "from " + range.least() + (range.most() == Long.MAX_VALUE ? " upwards" : " to " + range.most());
    }

    private static double most(Range range) {
        return range.most() == Long.MAX_VALUE ? Double.POSITIVE_INFINITY : range.most();
    }

    private static boolean contains(Range range, Number value) {
        if (value instanceof Double || value instanceof Float) {
            return value.doubleValue() >= range.least() && value.doubleValue() <= most(range);
        }
        return value.longValue() >= range.least() && value.longValue() <= range.most();
    }
}
