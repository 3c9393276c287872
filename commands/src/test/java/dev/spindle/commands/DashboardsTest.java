// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.commands;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.Spindle;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Timeout(60)
class DashboardsTest {
    private static final Pattern PAGE = Pattern.compile("The page: (\\S+)");

    private final StringWriter err = new StringWriter();
    private final List<String> shown = new ArrayList<>();

    @Command(name = "spindle")
    private static final class Root {}

    @Command(name = "work")
    private final class Work extends ConsoleCommand {
        @Override
        protected int run() throws Exception {
            try (Spindle one = Spindle.builder().name("one").build()) {
                show();
                try (Spindle two = Spindle.builder().name("two").build()) {
                    show();
                    assertThat(one).isNotSameAs(two);
                }
            }
            try (Spindle three = Spindle.builder().name("three").build()) {
                show();
                assertThat(three.isShutdown()).isFalse();
            }
            return 7;
        }
    }

    @Command(name = "own")
    private static final class Own extends ConsoleCommand {
        @Option(names = "--dashboard")
        private boolean dashboard;

        @Override
        protected int run() {
            try (Spindle one = Spindle.create()) {
                return dashboard && !one.isShutdown() ? 9 : 8;
            }
        }
    }

    /** Adds the name of the spindle of each printed page, or that the page is closed. */
    private void show() throws InterruptedException {
        StringBuilder names = new StringBuilder();
        for (URI page : pages()) {
            try {
                String snapshot = HttpClient.newHttpClient()
                        .send(
                                HttpRequest.newBuilder(page.resolve("live")).build(),
                                HttpResponse.BodyHandlers.ofInputStream())
                        .headers()
                        .firstValue("content-type")
                        .orElse("");
                names.append(snapshot.contains("event-stream") ? "open " : snapshot);
            } catch (java.io.IOException e) {
                names.append("closed ");
            }
        }
        shown.add(names.toString().strip());
    }

    private List<URI> pages() {
        return PAGE.matcher(err.toString())
                .results()
                .map((MatchResult line) -> URI.create(requireNonNull(line.group(1))))
                .toList();
    }

    private int execute(String... arguments) {
        CommandLine line = new CommandLine(new Root()).addSubcommand(new Work()).addSubcommand(new Own());
        return CommandLines.run(Dashboards.addTo(line).setErr(new PrintWriter(err, true)), arguments);
    }

    @Test
    void option_opensAPageForEachSpindle_atTheAddressOfOneThatHasEnded() throws Exception {
        assertThat(execute("work", "--dashboard")).isEqualTo(7);

        assertThat(shown).containsExactly("open", "open open", "open closed");
        show();
        assertThat(shown).last().isEqualTo("closed closed");
    }

    @Test
    void command_withoutTheOption_hasNoPage() {
        assertThat(execute("work")).isEqualTo(7);

        assertThat(shown).containsExactly("", "", "");
    }

    @Test
    void command_withAnOptionOfItsOwn_keepsIt() {
        assertThat(execute("own", "--dashboard")).isEqualTo(9);
        assertThat(err.toString()).isEmpty();
    }
}
