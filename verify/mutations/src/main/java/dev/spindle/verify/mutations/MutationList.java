// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.mutations;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads a list of mutations. The blocks of the list are separated by empty lines. Each line of a block is
 * {@code word value}, or a comment that begins with {@code #}. The words are {@code mutation}, {@code why},
 * {@code file}, {@code at} (a name in the marking comment), {@code number} (of that comment), {@code lines} (to
 * replace), {@code with} (a new line) and a {@link Catcher.Kind}. The default value of {@code number} and {@code lines}
 * is 1. A block with several catchers defines one mutation per catcher.
 */
final class MutationList {
    private final List<Mutation> mutations = new ArrayList<>();
    private final Set<String> names = new HashSet<>();

    private MutationList() {}

    static List<Mutation> read(Path file) throws IOException {
        MutationList list = new MutationList();
        Block block = null;
        int number = 0;
        for (String line : Files.readAllLines(file)) {
            number++;
            if (line.isBlank()) {
                list.end(block);
                block = null;
            } else if (!line.startsWith("#")) {
                block = block == null ? new Block(number) : block;
                block.add(line, number);
            }
        }
        list.end(block);
        return List.copyOf(list.mutations);
    }

    private void end(@Nullable Block block) {
        if (block == null) {
            return;
        }
        List<Mutation> read = block.mutations();
        String name = read.get(0).name();
        if (!names.add(name)) {
            throw new IllegalArgumentException("line " + block.line + ": there are two mutations named " + name);
        }
        mutations.addAll(read);
    }

    private static final class Block {
        private final int line;
        private final List<String> with = new ArrayList<>();
        private final List<Catcher> catchers = new ArrayList<>();
        private @Nullable String name;
        private @Nullable String why;
        private @Nullable String file;
        private @Nullable String mark;
        private int nth = 1;
        private int lines = 1;

        Block(int line) {
            this.line = line;
        }

        void add(String text, int number) {
            int space = text.indexOf(' ');
            String word = space < 0 ? text : text.substring(0, space);
            String value = space < 0 ? "" : text.substring(space).strip();
            switch (word) {
                case "mutation" -> name = value;
                case "why" -> why = why == null ? value : why + " " + value;
                case "file" -> file = value;
                case "at" -> mark = value;
                case "number" -> nth = Integer.parseInt(value);
                case "lines" -> lines = Integer.parseInt(value);
                case "with" -> with.add(value);
                case "test", "lincheck", "jcstress" ->
                    catchers.add(new Catcher(Catcher.Kind.valueOf(word.toUpperCase(Locale.ROOT)), value));
                default ->
                    throw new IllegalArgumentException("line " + number + ": unknown word '" + word
                            + "'; use mutation, why, file, at, number, lines, with, test, lincheck"
                            + " or jcstress");
            }
        }

        List<Mutation> mutations() {
            if (name == null || why == null || file == null || mark == null || catchers.isEmpty()) {
                throw new IllegalArgumentException("line " + line
                        + ": a mutation needs the lines mutation, why, file, at, and test, lincheck or jcstress");
            }
            Mutation.Place place = new Mutation.Place(mark, nth, lines);
            List<Mutation> mutations = new ArrayList<>();
            for (Catcher catcher : catchers) {
                mutations.add(new Mutation(name, why, file, place, List.copyOf(with), catcher));
            }
            return mutations;
        }
    }
}
