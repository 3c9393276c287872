// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.gateway;

import static dev.spindle.benchmarks.peers.Contenders.GATEWAY;
import static dev.spindle.benchmarks.peers.Contenders.GATEWAY_GUARDED;
import static dev.spindle.benchmarks.peers.Contenders.GATEWAY_ORDERED;
import static dev.spindle.benchmarks.peers.Contenders.GATEWAY_PINNED;
import static dev.spindle.benchmarks.peers.Contenders.NETTY_SPINNING;
import static dev.spindle.benchmarks.peers.Contenders.RAW_NETTY;
import static dev.spindle.benchmarks.peers.Contenders.TOMCAT;
import static dev.spindle.benchmarks.peers.Contenders.TOMCAT_GUARDED;
import static dev.spindle.benchmarks.peers.Contenders.TOMCAT_VIRTUAL;
import static dev.spindle.benchmarks.peers.Contenders.TOMCAT_VIRTUAL_GUARDED;
import static dev.spindle.benchmarks.peers.Contenders.VERTX_GATEWAY;

import dev.spindle.benchmarks.compare.Cell;
import dev.spindle.benchmarks.compare.CompareFork;
import dev.spindle.benchmarks.compare.Comparison;
import dev.spindle.benchmarks.compare.Contender;
import dev.spindle.benchmarks.compare.Effort;
import dev.spindle.benchmarks.compare.Figure;
import dev.spindle.benchmarks.compare.Subject;
import dev.spindle.benchmarks.gateway.drive.Breakdown;
import dev.spindle.benchmarks.gateway.drive.Entrant;
import dev.spindle.benchmarks.gateway.drive.Overload;
import dev.spindle.benchmarks.gateway.drive.Shape;
import dev.spindle.benchmarks.gateway.drive.Steady;
import dev.spindle.benchmarks.gateway.servers.Plan;
import dev.spindle.benchmarks.gateway.servers.Route;
import dev.spindle.benchmarks.gateway.servers.ServerMain;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.BiFunction;

/** One request, several calls: the cells, who takes part in them, and the goals GW1 to GW10. */
public final class GatewayComparison {
    static final String HOT = "hot-300";
    static final String REST = "rest-1800";
    static final String MANY = "large-1200";
    static final String BREAKDOWN = "breakdown";
    static final String OVERLOAD = "overload";

    private static final String METHOD =
            "An op is a request. A gateway is a process of its own with 1 GiB of heap; all figures but the"
                    + " latencies are of that process alone, as Linux counts them. Behind it is one echo server with"
                    + " seven ports, whose delay differs by up to a fifth; before it `wrk`, or `h2load` where the rate"
                    + " does not depend on the answers. 30,000 requests warm it up; the window is ten delays at least"
                    + " and begins after a ramp of three seconds. Each fork checks that the calls that the echo server"
                    + " counts are those that the requests need: what is not is a violation.";

    private static final Map<Contender, Entrant> ENTRANTS = entrants();
    private static final List<Contender> ALL = List.of(GATEWAY, RAW_NETTY, VERTX_GATEWAY, TOMCAT, TOMCAT_VIRTUAL);
    private static final List<Contender> SERVERS =
            List.of(GATEWAY, GATEWAY_GUARDED, TOMCAT, TOMCAT_GUARDED, TOMCAT_VIRTUAL, TOMCAT_VIRTUAL_GUARDED);

    private GatewayComparison() {}

    public static void main(String[] arguments) {
        CompareFork.run(comparison(), arguments);
    }

    public static Comparison comparison() {
        List<Cell> cells = new ArrayList<>();
        cells.add(steady(
                "hot", HOT, new Shape(Route.LARGE, 300, 100, false), with(ALL, GATEWAY_GUARDED, GATEWAY_ORDERED)));
        cells.add(steady("hot", "hot-800", new Shape(Route.LARGE, 800, 100, false), ALL));
        cells.add(steady(
                "tuning",
                "tuning-300",
                new Shape(Route.LARGE, 300, 100, false),
                List.of(GATEWAY, GATEWAY_PINNED, RAW_NETTY, NETTY_SPINNING)));
        cells.add(steady("rest", REST, new Shape(Route.ONE, 1_800, 100, false), ALL));
        for (int connections : List.of(300, 800, 1_200, 1_800)) {
            String name = "large-" + connections;
            Shape shape = new Shape(Route.LARGE, connections, 1_000, true);
            cells.add(steady(
                    "large",
                    name,
                    shape,
                    with(
                            ALL,
                            connections == 1_800
                                    ? new Contender[0]
                                    : new Contender[] {GATEWAY_GUARDED, TOMCAT_GUARDED, TOMCAT_VIRTUAL_GUARDED})));
        }
        cells.add(steady("table", "one-1800", new Shape(Route.ONE, 1_800, 250, true), SERVERS));
        cells.add(steady("table", "small-300", new Shape(Route.SMALL, 300, 250, true), SERVERS));
        cells.add(steady("table", "small-800", new Shape(Route.SMALL, 800, 500, true), SERVERS));
        cells.add(steady("table", "large-100", new Shape(Route.LARGE, 100, 500, true), SERVERS));
        cells.add(steady("table", "steps-800", new Shape(Route.STEPS, 800, 250, true), SERVERS));
        cells.add(cell(
                BREAKDOWN,
                BREAKDOWN,
                "7 calls, 1,000 ms, paced, more and more connections",
                Breakdown.FIGURES,
                Breakdown.expected(),
                ALL,
                Breakdown::new));
        cells.add(cell(
                OVERLOAD,
                OVERLOAD,
                "1 call, 100 ms, 100 places, twice as many requests",
                Overload.FIGURES,
                Overload.expected(),
                List.of(GATEWAY),
                (entrant, scale) -> new Overload(new Entrant(entrant.kind(), Plan.Guard.REQUESTS), scale)));
        return new Comparison(
                "gateway",
                GatewayComparison.class,
                "A gateway that makes several calls for each request, beside servers",
                METHOD,
                List::of,
                cells,
                new GatewayGoals(),
                medians -> StudyTable.markdown(cells, medians));
    }

    private static Map<Contender, Entrant> entrants() {
        Map<Contender, Entrant> entrants = new LinkedHashMap<>();
        entrants.put(GATEWAY, new Entrant(ServerMain.Kind.SPINDLE, Plan.Guard.NONE));
        entrants.put(GATEWAY_GUARDED, new Entrant(ServerMain.Kind.SPINDLE, Plan.Guard.CALLS));
        entrants.put(GATEWAY_ORDERED, new Entrant(ServerMain.Kind.SPINDLE, Plan.Guard.ORDER));
        entrants.put(
                GATEWAY_PINNED,
                new Entrant(ServerMain.Kind.SPINDLE, Plan.Guard.NONE, List.of("taskset", "--cpu-list", "0")));
        entrants.put(NETTY_SPINNING, new Entrant(ServerMain.Kind.NETTY, Plan.Guard.SPIN));
        entrants.put(RAW_NETTY, new Entrant(ServerMain.Kind.NETTY, Plan.Guard.NONE));
        entrants.put(VERTX_GATEWAY, new Entrant(ServerMain.Kind.VERTX, Plan.Guard.NONE));
        entrants.put(TOMCAT, new Entrant(ServerMain.Kind.TOMCAT, Plan.Guard.NONE));
        entrants.put(TOMCAT_GUARDED, new Entrant(ServerMain.Kind.TOMCAT, Plan.Guard.CALLS));
        entrants.put(TOMCAT_VIRTUAL, new Entrant(ServerMain.Kind.TOMCAT_VIRTUAL, Plan.Guard.NONE));
        entrants.put(TOMCAT_VIRTUAL_GUARDED, new Entrant(ServerMain.Kind.TOMCAT_VIRTUAL, Plan.Guard.CALLS));
        return entrants;
    }

    private static List<Contender> with(List<Contender> some, Contender... more) {
        List<Contender> all = new ArrayList<>(some);
        all.addAll(List.of(more));
        return all;
    }

    private static Cell steady(String group, String name, Shape shape, List<Contender> contenders) {
        Route route = shape.route();
        String title = route.calls() + (route.calls() == 1 ? " call, " : " calls, ")
                + (route.inTurn() ? "one after the other, " : "") + shape.delayMillis() + " ms, "
                + String.format(Locale.ROOT, "%,d", shape.connections()) + " connections"
                + (shape.paced() ? ", paced" : "");
        return cell(
                group,
                name,
                title,
                Steady.FIGURES,
                shape.expected(),
                contenders,
                (entrant, scale) -> new Steady(entrant, shape, scale));
    }

    private static Cell cell(
            String group,
            String name,
            String title,
            List<Figure> figures,
            Duration expected,
            List<Contender> contenders,
            BiFunction<Entrant, Subject.Scale, Subject> subject) {
        Map<Contender, Subject.Setup> setups = new LinkedHashMap<>();
        for (Contender contender : contenders) {
            Entrant entrant = ENTRANTS.get(contender);
            if (entrant == null) {
                throw new IllegalArgumentException("no gateway of " + contender);
            }
            setups.put(contender, scale -> subject.apply(entrant, scale));
        }
        return new Cell(name, group, title, figures, Effort.once(Duration.ZERO, expected), 0, setups);
    }
}
