// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.gateway.servers;

import dev.spindle.benchmarks.compare.Programs;
import dev.spindle.benchmarks.compare.Programs.Dialogue;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The main class of a process with one server. The process prints the server's ports, answers each line of its standard
 * input, and ends at the end of the input. The process therefore does not outlive its parent process.
 */
public final class ServerMain {
    public static final String READY = "@ready ";
    public static final String ANSWER = "@answer ";

    private static final int JAVA_THAT_WARNS = 24;
    /** The JVM options of all gateways: the same heap, collector and number of JVM threads. */
    private static final List<String> GATEWAY = List.of(
            "-Xms1g",
            "-Xmx1g",
            "-XX:+UseParallelGC",
            "-XX:-UseDynamicNumberOfCompilerThreads",
            "-XX:-UseDynamicNumberOfGCThreads");

    private ServerMain() {}

    @SuppressWarnings("ImmutableEnumChecker") // the makers have no state
    public enum Kind {
        /** A process without a server, whose costs are subtracted from those of a gateway. */
        BARE(plan -> List::of),
        ECHO(plan -> new Echo()),
        SPINDLE(SpindleGateway::new),
        NETTY(NettyGateway::new),
        VERTX(VertxGateway::new),
        TOMCAT(plan -> new TomcatGateway(plan, false)),
        TOMCAT_VIRTUAL(plan -> new TomcatGateway(plan, true));

        private final Function<Plan, Server> maker;

        Kind(Function<Plan, Server> maker) {
            this.maker = maker;
        }
    }

    /** Starts a process with a server; the process prints the ports after {@link #READY}. */
    public static Dialogue start(Kind kind, Plan plan) {
        List<String> jvm = new ArrayList<>(kind == Kind.ECHO ? List.of("-Xmx256m", "-XX:+UseSerialGC") : GATEWAY);
        if (Runtime.version().feature() >= JAVA_THAT_WARNS) {
            jvm.addAll(List.of("--sun-misc-unsafe-memory-access=allow", "--enable-native-access=ALL-UNNAMED"));
        }
        List<String> arguments = new ArrayList<>(List.of(kind.name()));
        arguments.addAll(plan.arguments());
        ProcessBuilder process = Programs.java(ServerMain.class, jvm, arguments);
        process.redirectErrorStream(false).redirectError(ProcessBuilder.Redirect.DISCARD);
        return new Dialogue(kind.name(), process);
    }

    /** Runs the process; the arguments are the kind of the server and those of its {@link Plan}. */
    public static void main(String[] arguments) throws IOException {
        List<String> all = Arrays.asList(arguments);
        Server server = Kind.valueOf(arguments[0]).maker.apply(Plan.parse(all.subList(1, all.size())));
        try {
            System.out.println(
                    READY + server.start().stream().map(String::valueOf).collect(Collectors.joining(",")));
        } catch (Exception e) {
            System.out.println(e);
            Runtime.getRuntime().halt(1);
        }
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            System.out.println(ANSWER + server.answer(line));
        }
        Runtime.getRuntime().halt(0);
    }
}
