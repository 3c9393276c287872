// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.commands.Range;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

/** The answer of each command of {@code ./spindle} to a wrong option: a line with value and remedy, and status 2. */
class CommandsTest {
    private static final String FILE = "FILE";
    private static final String NOWHERE = "/no/such/folder/file";

    @TempDir
    private Path folder = Path.of("");

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    /** A command with its words, and a factory of command lines that have it. */
    record Command(String words, Supplier<CommandLine> root, CommandLine line) {
        @Override
        public String toString() {
            return words;
        }
    }

    private static Stream<Command> commands() {
        return Stream.<Supplier<CommandLine>>of(
                        dev.spindle.demo.Main::commandLine,
                        dev.spindle.benchmarks.Main::commandLine,
                        dev.spindle.verify.Main::commandLine,
                        dev.spindle.demo.gateway.GatewayMain::commandLine,
                        dev.spindle.demo.kafka.KafkaMain::commandLine)
                .flatMap(root -> below("", root, root.get()));
    }

    private static Stream<Command> below(String words, Supplier<CommandLine> root, CommandLine line) {
        Command here = new Command(words, root, line);
        return Stream.concat(
                Stream.of(here),
                line.getSubcommands().entrySet().stream()
                        .flatMap(entry -> below((words + " " + entry.getKey()).strip(), root, entry.getValue())));
    }

    private static Stream<Arguments> numbers() {
        return commands()
                .flatMap(command -> command.line().getCommandSpec().options().stream()
                        .filter(option -> range(option) != null)
                        .map(option -> Arguments.of(command, option.longestName(), range(option))));
    }

    private static @Nullable Range range(OptionSpec option) {
        return option.userObject() instanceof Field field ? field.getAnnotation(Range.class) : null;
    }

    @Test
    void options_withNumbers_haveARange() {
        Set<String> free = Set.of("--seed"); // any number

        List<String> unchecked = commands()
                .flatMap(command -> command.line().getCommandSpec().options().stream()
                        .filter(option -> isNumber(option.type()) && range(option) == null)
                        .filter(option -> !free.contains(option.longestName()))
                        .map(option -> command.words() + " " + option.longestName()))
                .toList();

        assertThat(unchecked).isEmpty();
    }

    private static boolean isNumber(Class<?> type) {
        return Number.class.isAssignableFrom(type) || (type.isPrimitive() && type != boolean.class);
    }

    @ParameterizedTest(name = "{0} {1}")
    @MethodSource("numbers")
    void number_outOfItsRange_isRefusedInALine(Command command, String option, Range range) {
        List<String> wrong = new ArrayList<>(List.of(Long.toString(range.least() - 1)));
        if (range.most() < Long.MAX_VALUE) {
            wrong.add(Long.toString(range.most() + 1));
        }
        for (String value : wrong) {
            assertRefused(command.root().get(), command.words() + " " + option + " " + value, option, value);
            assertThat(err.toString()).contains("from " + range.least() + " ");
        }
        for (String value : List.of("many", "99999999999999999999")) {
            assertRefused(command.root().get(), command.words() + " " + option + " " + value, option, value);
            assertThat(err.toString()).contains("from " + range.least() + " ");
        }
        assertRefused(command.root().get(), command.words() + " " + option, option);
    }

    @ParameterizedTest(name = "{0} {1}")
    @MethodSource("numbers")
    void help_ofANumber_tellsItsRange(Command command, String option, Range range) {
        assertThat(execute(command.root().get(), command.words() + " --help")).isZero();

        assertThat(out.toString().replaceAll("\\s+", " ")).contains("Takes numbers from " + range.least());
    }

    @ParameterizedTest
    @MethodSource("commands")
    void option_thatNoCommandHas_isRefusedInALine(Command command) {
        assertRefused(command.root().get(), command.words() + " --nonsense", "--nonsense");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "demo --file /no/such/folder/file",
                "demo --file FOLDER",
                "demo --file FILE",
                "demo --speed fast",
                "bench pool --quick --cells chains --out FILE",
                "bench pool --quick --cells chains --out FILE/below",
                "bench pool --cells nonsense",
                "bench pool --contenders nonsense",
                "bench pool --collector none",
                "torture --only nonsense",
                "torture --gc nonsense",
                "torture --seed many",
                "torture --minutes NaN",
                "torture --seed 1 --replay some --tasks",
                "torture --replay /no/such/folder/file",
                "torture --replay FILE",
                "torture --save /no/such/folder/file",
                "torture --save FOLDER",
                "handovers --seed many",
                "gateway --routes /no/such/folder/file --check",
                "gateway echo --admin 70000",
                "gateway echo --admin 0",
                "gateway echo --admin 9003",
                "gateway echo --ports 1-70000",
                "gateway echo --ports 1000-9000",
                "gateway echo --delay 99999999999999999999h",
                "gateway echo --delay soon",
                "gateway echo --jitter 101",
                "gateway echo --size -1",
                "kafka demo --bootstrap nowhere"
            })
    void value_thatCannotBe_isRefusedInALine(String words) throws IOException {
        Path file = Files.writeString(folder.resolve("some-file"), "nothing of use\n");
        String asked = words.replace(FILE, file.toString()).replace("FOLDER", folder.toString());

        CommandLine root = commands()
                .filter(command -> !command.words().isEmpty() && words.startsWith(command.words()))
                .findFirst()
                .orElseThrow()
                .root()
                .get();
        String value = asked.substring(asked.lastIndexOf(' ') + 1);
        assertRefused(root, asked, value.equals("--check") ? NOWHERE : value);
    }

    private void assertRefused(CommandLine root, String words, String... named) {
        assertThat(execute(root, words)).as(words + ": " + err).isEqualTo(2);
        assertThat(err.toString().lines().collect(Collectors.toList()))
                .as(words)
                .hasSize(1);
        assertThat(err.toString()).contains(named);
        assertThat(out.toString()).as(words).doesNotContain("Usage:");
    }

    private int execute(CommandLine root, String words) {
        out.getBuffer().setLength(0);
        err.getBuffer().setLength(0);
        return root.setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(words.isEmpty() ? new String[0] : words.strip().split(" +", -1));
    }
}
