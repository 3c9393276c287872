// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.gateway;

import static dev.spindle.benchmarks.executors.Contenders.GATEWAY;
import static dev.spindle.benchmarks.executors.Contenders.GATEWAY_GUARDED;
import static dev.spindle.benchmarks.executors.Contenders.GATEWAY_ORDERED;
import static dev.spindle.benchmarks.executors.Contenders.RAW_NETTY;
import static dev.spindle.benchmarks.executors.Contenders.TOMCAT;
import static dev.spindle.benchmarks.executors.Contenders.TOMCAT_VIRTUAL;
import static dev.spindle.benchmarks.executors.Contenders.VERTX_GATEWAY;

import dev.spindle.benchmarks.compare.Cell;
import dev.spindle.benchmarks.compare.Comparison;
import dev.spindle.benchmarks.compare.Contender;
import dev.spindle.benchmarks.compare.Effort;
import dev.spindle.benchmarks.compare.Figure;
import dev.spindle.benchmarks.gateway.drive.Breakdown;
import dev.spindle.benchmarks.gateway.drive.Overload;
import dev.spindle.benchmarks.gateway.drive.Steady;
import dev.spindle.benchmarks.gateway.servers.Plan.Guard;
import dev.spindle.benchmarks.gateway.servers.Route;
import dev.spindle.benchmarks.gateway.servers.ServerMain.Kind;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The cells that measure requests with several calls. The goals, GW1 to GW10, are in {@code goals/gateway.txt}. */
public final class GatewayComparison {
    private static final String HOT = "hot-300";
    private static final String REST = "rest-1800";
    private static final String MANY = "large-1200";
    private static final String BREAKDOWN = "breakdown";
    private static final String OVERLOAD = "overload";

    private static final String METHOD =
            "An op is a request. A gateway is a process of its own with 1 GiB of heap; all figures but the latencies"
                    + " are of that process alone, as Linux counts them. Behind it is one echo server with seven"
                    + " ports, whose delay differs by up to a fifth; before it `h2load`. 30,000 requests warm it up;"
                    + " the window is ten delays at least and begins after a ramp of three seconds. Each fork checks"
                    + " that the calls that the echo server counts are those that the requests need.";

    private static final Map<Contender, Entrant> ALL = new LinkedHashMap<>();
    private static final Map<Contender, Entrant> GUARDED = new LinkedHashMap<>();

    static {
        ALL.put(GATEWAY, new Entrant(Kind.SPINDLE, Guard.NONE));
        ALL.put(RAW_NETTY, new Entrant(Kind.NETTY, Guard.NONE));
        ALL.put(VERTX_GATEWAY, new Entrant(Kind.VERTX, Guard.NONE));
        ALL.put(TOMCAT, new Entrant(Kind.TOMCAT, Guard.NONE));
        ALL.put(TOMCAT_VIRTUAL, new Entrant(Kind.TOMCAT_VIRTUAL, Guard.NONE));
        GUARDED.putAll(ALL);
        GUARDED.put(GATEWAY_GUARDED, new Entrant(Kind.SPINDLE, Guard.CALLS));
        GUARDED.put(GATEWAY_ORDERED, new Entrant(Kind.SPINDLE, Guard.ORDER));
    }

    private record Entrant(Kind kind, Guard guard) {}

    private GatewayComparison() {}

    public static Comparison comparison() {
        Steady.Shape hot = new Steady.Shape(Route.LARGE, 300, 100, false);
        Steady.Shape rest = new Steady.Shape(Route.ONE, 1_800, 100, false);
        Steady.Shape many = new Steady.Shape(Route.LARGE, 1_200, 1_000, true);
        Cell breakdown = cell(
                        BREAKDOWN,
                        "7 calls, 1,000 ms, paced, more and more connections",
                        Breakdown.expected(),
                        Breakdown.FIGURES)
                .enterAll(ALL, (entrant, scale) -> new Breakdown(entrant.kind, entrant.guard, scale));
        Cell overload = cell(
                        OVERLOAD,
                        "1 call, 100 ms, 100 places, twice as many requests",
                        Overload.expected(),
                        Overload.FIGURES)
                .enter(GATEWAY, scale -> new Overload(Kind.SPINDLE, scale));
        return new Comparison(
                "gateway",
                GatewayComparison.class,
                "A gateway that makes several calls for each request, compared with servers",
                METHOD,
                List::of,
                List.of(
                        steady(HOT, "7 calls, 100 ms, 300 connections", hot, GUARDED),
                        steady(REST, "1 call, 100 ms, 1,800 connections", rest, ALL),
                        steady(MANY, "7 calls, 1,000 ms, 1,200 connections, paced", many, GUARDED),
                        breakdown,
                        overload));
    }

    private static Cell cell(String name, String title, Duration expected, List<Figure> figures) {
        return new Cell(name, title, Effort.once(Duration.ZERO, expected), figures);
    }

    private static Cell steady(String name, String title, Steady.Shape shape, Map<Contender, Entrant> entrants) {
        return cell(name, title, shape.expected(), Steady.FIGURES)
                .enterAll(entrants, (entrant, scale) -> new Steady(entrant.kind, entrant.guard, shape, scale));
    }
}
