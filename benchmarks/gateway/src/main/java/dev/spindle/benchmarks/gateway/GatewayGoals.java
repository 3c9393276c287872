// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.gateway;

import static dev.spindle.benchmarks.peers.Contenders.GATEWAY;
import static dev.spindle.benchmarks.peers.Contenders.GATEWAY_GUARDED;
import static dev.spindle.benchmarks.peers.Contenders.GATEWAY_ORDERED;
import static dev.spindle.benchmarks.peers.Contenders.RAW_NETTY;
import static dev.spindle.benchmarks.peers.Contenders.TOMCAT;
import static dev.spindle.benchmarks.peers.Contenders.TOMCAT_VIRTUAL;
import static dev.spindle.benchmarks.peers.Contenders.VERTX_GATEWAY;

import dev.spindle.benchmarks.compare.Comparison;
import dev.spindle.benchmarks.compare.Figure;
import dev.spindle.benchmarks.compare.Judge;
import dev.spindle.benchmarks.gateway.drive.Figures;
import java.util.List;

/** The goals GW1 to GW10. */
final class GatewayGoals implements Comparison.Goals {
    private static final int LOOPS = 1;
    /** The workers of the pool that its time limits and lanes have. */
    private static final int WORKERS = 2;

    @Override
    public void judge(Judge all) {
        Judge judge = all.onlyCalm();
        String hot = GatewayComparison.HOT;
        String many = GatewayComparison.MANY;
        String rest = GatewayComparison.REST;
        judge.atMostOf("GW1", hot, GATEWAY, TOMCAT, Figures.CPU, 0.35);
        judge.atMostOf("GW1", hot, GATEWAY, TOMCAT_VIRTUAL, Figures.CPU, 0.70);
        judge.atMostOf("GW1", hot, GATEWAY, VERTX_GATEWAY, Figures.CPU, 0.95);
        judge.atMostOf("GW1", hot, GATEWAY, RAW_NETTY, Figures.CPU, 1.15);
        judge.atMostOf("GW2", many, GATEWAY, TOMCAT, Figures.CPU, 0.30);
        judge.atMostOf("GW2", many, GATEWAY, TOMCAT_VIRTUAL, Figures.CPU, 0.65);
        judge.atMostOf("GW2", many, GATEWAY, VERTX_GATEWAY, Figures.CPU, 0.60);
        judge.atMostOf("GW2", many, GATEWAY, RAW_NETTY, Figures.CPU, 1.20);
        judge.atMostOf("GW3", rest, GATEWAY, TOMCAT, Figures.CPU, 0.50);
        judge.atMostOf("GW3", rest, GATEWAY, TOMCAT_VIRTUAL, Figures.CPU, 0.60);
        judge.atMostOf("GW3", rest, GATEWAY, VERTX_GATEWAY, Figures.CPU, 0.95);
        judge.atMostOf("GW4", many, GATEWAY, TOMCAT, Figures.ALL_THREADS, 0.01);
        judge.atMostOf("GW4", many, GATEWAY, TOMCAT_VIRTUAL, Figures.ALL_THREADS, 1.0);
        judge.atMostOf("GW4", many, GATEWAY, VERTX_GATEWAY, Figures.ALL_THREADS, 1.0);
        judge.never("GW4", many, GATEWAY, Figure.THREADS, LOOPS + WORKERS);
        judge.atMost("GW5", hot, GATEWAY, Figure.FUTEX, 0.1);
        judge.atMost("GW5", hot, GATEWAY_ORDERED, Figure.FUTEX, 4);
        judge.atMostOf("GW5", hot, GATEWAY, TOMCAT_VIRTUAL, Figure.FUTEX, 0.02);
        judge.atMostOf("GW6", hot, GATEWAY, TOMCAT, Figures.SWITCHES, 0.1);
        judge.atMostOf("GW6", hot, GATEWAY, TOMCAT_VIRTUAL, Figures.SWITCHES, 0.25);
        judge.atMostOf("GW6", hot, GATEWAY, VERTX_GATEWAY, Figures.SWITCHES, 1.5);
        judge.atMostOf("GW7", hot, GATEWAY, TOMCAT, Figures.P99, 0.2);
        judge.atMostOf("GW7", hot, GATEWAY, TOMCAT_VIRTUAL, Figures.P99, 1.0);
        judge.atMostOf("GW7", hot, GATEWAY, VERTX_GATEWAY, Figures.P99, 1.0);
        judge.atLeast("GW8", GatewayComparison.BREAKDOWN, GATEWAY, TOMCAT, Figures.HIGHEST, 2.0);
        judge.atLeast("GW8", GatewayComparison.BREAKDOWN, GATEWAY, TOMCAT_VIRTUAL, Figures.HIGHEST, 1.0);
        judge.atLeast("GW8", GatewayComparison.BREAKDOWN, GATEWAY, VERTX_GATEWAY, Figures.HIGHEST, 1.0);
        judge.atLeast("GW8", GatewayComparison.BREAKDOWN, GATEWAY, Figures.HIGHEST, 2_400);
        judge.atMostOf("GW9", hot, GATEWAY_GUARDED, GATEWAY, Figures.CPU, 1.15);
        judge.atMostOf("GW9", hot, GATEWAY_GUARDED, GATEWAY, Figures.ALL_THREADS, 1.0);
        judge.atLeast("GW10", GatewayComparison.OVERLOAD, GATEWAY, Figures.GOODPUT, 90);
        judge.atMost("GW10", GatewayComparison.OVERLOAD, GATEWAY, Figures.ACCEPTED, 1.5);
        judge.atMost("GW10", GatewayComparison.OVERLOAD, GATEWAY, Figures.REFUSED, 5);
        judge.neverOfOurs("all steady loads", List.of(GatewayComparison.OVERLOAD), Figures.BAD, 0);
    }
}
