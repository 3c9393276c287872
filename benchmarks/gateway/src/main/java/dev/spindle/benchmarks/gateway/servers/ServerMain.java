// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.gateway.servers;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The process of a gateway, of the echo server, or of nothing at all. It prints its ports when it is ready, answers
 * each line of its standard input, and ends when that is closed, so that it does not outlive the process that started
 * it.
 */
public final class ServerMain {
    /** Begins the line with the ports. */
    public static final String READY = "@ready ";
    /** Begins an answer. */
    public static final String ANSWER = "@answer ";
    /** A line that asks for the number of failed requests. */
    public static final String FAILED = "failed";

    private ServerMain() {}

    /** A kind of server; its name is the first argument. */
    public enum Kind {
        /** A JVM that does nothing, as the base of the others' costs. */
        BARE,
        ECHO,
        SPINDLE,
        NETTY,
        VERTX,
        TOMCAT,
        TOMCAT_VIRTUAL
    }

    /** Arguments: the kind of the server, and the arguments of its plan. */
    public static void main(String[] arguments) throws Exception {
        Server server =
                server(Kind.valueOf(arguments[0]), Arrays.asList(arguments).subList(1, arguments.length));
        String ports = server.start().stream().map(String::valueOf).collect(Collectors.joining(","));
        System.out.println(READY + ports);
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            System.out.println(ANSWER + (line.equals(FAILED) ? server.failed() : server.answer(line)));
        }
        Runtime.getRuntime().halt(0);
    }

    private static Server server(Kind kind, List<String> arguments) {
        return switch (kind) {
            case BARE -> List::of;
            case ECHO -> new Echo();
            case SPINDLE -> new SpindleGateway(Plan.parse(arguments));
            case NETTY -> new NettyGateway(Plan.parse(arguments));
            case VERTX -> new VertxGateway(Plan.parse(arguments));
            case TOMCAT -> new TomcatGateway(Plan.parse(arguments), false);
            case TOMCAT_VIRTUAL -> new TomcatGateway(Plan.parse(arguments), true);
        };
    }
}
