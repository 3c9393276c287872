// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.flow.limit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.function.LongFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The tables of limiters in docs/flow.md show the results of the simulations. After a change of a limiter {@code
 * MAVEN_ARGS=-Dtables=write .ci/test LimiterTablesTest} rewrites them, and PicturesTest redraws the pictures.
 */
@Tag("once")
class LimiterTablesTest {
    private static final Path DOCUMENT = Path.of("..", "docs", "flow.md");
    private static final List<Integer> CLIENTS = List.of(1, 2, 4, 10);
    private static final int SEEDS = 3;

    /** A table, which follows a comment with its name. */
    enum Table {
        CROWD_AFTER_10_MINUTES {
            @Override
            List<String> lines() {
                return crowd(0);
            }
        },
        CROWD_AFTER_20_MINUTES {
            @Override
            List<String> lines() {
                return crowd(1);
            }
        },
        HANGS {
            @Override
            List<String> lines() {
                Map<String, Function<Methods, LongFunction<Double>>> columns = new LinkedHashMap<>();
                for (int limit : List.of(2, 5, 10)) {
                    columns.put(
                            "places, " + limit + " s",
                            method -> seed -> hang(method, limit, seed).limit());
                    columns.put(
                            "calls, " + limit + " s",
                            method -> seed -> hang(method, limit, seed).callsPerSecond() * limit);
                }
                return table(columns, List.of(Methods.values()));
            }
        },
        TOO_HIGH {
            @Override
            List<String> lines() {
                Map<String, Function<Methods, LongFunction<Double>>> columns = new LinkedHashMap<>();
                for (int initial : List.of(20, 200)) {
                    columns.put("from " + initial, method -> seed -> tooHigh(method, initial, seed));
                }
                return table(columns, List.of(Methods.values()));
            }
        };

        abstract List<String> lines();
    }

    /** The rows of the tables, and their limiters; Envoy's always begins with the same limit. */
    enum Methods {
        AIMD("spindle `aimd`") {
            @Override
            Limiter limiter(int initial, int max, long seed) {
                return Limiter.aimd(1, initial, max);
            }
        },
        GRADIENT("spindle `gradient`") {
            @Override
            Limiter limiter(int initial, int max, long seed) {
                return Limiter.gradient(1, initial, max);
            }
        },
        VEGAS("Vegas") {
            @Override
            Limiter limiter(int initial, int max, long seed) {
                return Peers.vegas(initial, max);
            }
        },
        GRADIENT2("Gradient2") {
            @Override
            Limiter limiter(int initial, int max, long seed) {
                return Peers.gradient2(1, initial, max);
            }
        },
        ENVOY("Envoy's method") {
            @Override
            Limiter limiter(int initial, int max, long seed) {
                return Peers.envoy(seed, max);
            }
        };

        private final String row;

        Methods(String row) {
            this.row = row;
        }

        abstract Limiter limiter(int initial, int max, long seed);

        Crowd crowd(int clients, int initial, int max, int places, long millis, long limitMillis, long seed) {
            long[] client = {100 * seed};
            return new Crowd(
                    clients,
                    () -> limiter(initial, max, client[0]++),
                    places,
                    Congestion.even(millis),
                    limitMillis,
                    seed);
        }
    }

    /** The mean times of calls by the name of a run, so that each run is made once. */
    private static final Map<String, List<Double>> CROWDS = new HashMap<>();

    /** Mean times of calls in the tenth or twentieth minute; without time limits, so not for aimd. */
    private static List<String> crowd(int which) {
        Map<String, Function<Methods, LongFunction<Double>>> columns = new LinkedHashMap<>();
        for (int clients : CLIENTS) {
            columns.put(
                    clients + (clients == 1 ? " client" : " clients"),
                    method -> seed -> CROWDS.computeIfAbsent(
                                    method + " " + clients + " " + seed, run -> millis(method, clients, seed))
                            .get(which));
        }
        return table(columns, Stream.of(Methods.values()).skip(1).toList());
    }

    private static List<Double> millis(Methods method, int clients, long seed) {
        Crowd crowd = method.crowd(clients, 20, 1_000, 20, 50, 0, seed);
        List<Double> millis = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            crowd.offer(800, 9 * 60);
            millis.add(crowd.offer(800, 60).meanMillis());
        }
        return millis;
    }

    private static Crowd.Got hang(Methods method, int limitSeconds, long seed) {
        Crowd crowd = method.crowd(1, 32, 256, 0, 50, 1_000L * limitSeconds, seed);
        crowd.offer(100, 120);
        return crowd.offer(100, 300);
    }

    private static double tooHigh(Methods method, int initial, long seed) {
        Crowd crowd = method.crowd(1, initial, 256, 20, 1_000, 4_000, seed);
        crowd.offer(100, 240);
        return crowd.offer(100, 300).perSecond();
    }

    private static List<String> table(
            Map<String, Function<Methods, LongFunction<Double>>> columns, List<Methods> methods) {
        List<String> lines = new ArrayList<>();
        lines.add("| | " + String.join(" | ", columns.keySet()) + " |");
        lines.add("|---|" + "---|".repeat(columns.size()));
        for (Methods method : methods) {
            StringBuilder line = new StringBuilder("| " + method.row + " |");
            columns.forEach((name, column) -> line.append(cell(column.apply(method))));
            lines.add(line.toString());
        }
        return lines;
    }

    /** Returns the median, the least and the most of the seeds. */
    private static String cell(LongFunction<Double> figure) {
        List<Double> figures = Stream.iterate(1L, seed -> seed + 1)
                .limit(SEEDS)
                .map(figure::apply)
                .sorted()
                .toList();
        return String.format(
                Locale.ROOT,
                " %s [%s to %s] |",
                number(figures.get(SEEDS / 2)),
                number(figures.get(0)),
                number(figures.get(SEEDS - 1)));
    }

    private static String number(double figure) {
        return String.format(Locale.ROOT, figure < 100 ? "%.1f" : "%,.0f", figure);
    }

    @ParameterizedTest
    @EnumSource
    void table_isWhatTheSimulationGives(Table table) throws IOException {
        List<String> document = Files.readAllLines(DOCUMENT);
        int begin = document.indexOf("<!-- limiters: " + table.name().toLowerCase(Locale.ROOT) + " -->") + 1;
        assertThat(begin).as("the line before the table").isPositive();
        int end = begin;
        while (end < document.size() && document.get(end).startsWith("|")) {
            end++;
        }
        List<String> lines = table.lines();
        if ("write".equals(System.getProperty("tables"))) {
            List<String> changed = new ArrayList<>(document.subList(0, begin));
            changed.addAll(lines);
            changed.addAll(document.subList(end, document.size()));
            Files.write(DOCUMENT, changed);
        } else {
            assertThat(document.subList(begin, end)).isEqualTo(lines);
        }
    }
}
