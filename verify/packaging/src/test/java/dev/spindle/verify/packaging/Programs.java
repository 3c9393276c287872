// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.packaging;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The programs of users, as sources. */
final class Programs {
    /** Uses core alone, and prints "hello, 70". */
    private static final String HELLO = """
            package app;

            import dev.spindle.Keyed;
            import dev.spindle.Lane;
            import dev.spindle.Spindle;
            import java.util.concurrent.CompletableFuture;

            public final class Hello {
                public static void main(String[] arguments) {
                    int[] balance = new int[1];
                    CompletableFuture<Integer> left;
                    try (Spindle spindle = Spindle.create()) {
                        Keyed<String> accounts = spindle.keyed("accounts");
                        accounts.execute("alice", () -> balance[0] += 100);
                        accounts.execute("alice", () -> balance[0] -= 30);
                        Lane alice = accounts.at("alice");
                        left = alice.submit(() -> balance[0]);
                    }
                    System.out.println("hello, " + left.join());
                }
            }
            """;

    /** Uses each module that has a declaration, and prints "toured". */
    private static final String TOUR = """
            package app;

            import dev.spindle.Spindle;
            import dev.spindle.actor.ActorRef;
            import dev.spindle.actor.Actors;
            import dev.spindle.affinity.PinnedThreads;
            import dev.spindle.channel.Channel;
            import dev.spindle.flow.Deadline;
            import dev.spindle.gateway.Gateway;
            import dev.spindle.gateway.GatewayConfig;
            import dev.spindle.observe.SpindleHealth;
            import dev.spindle.observe.SpindleManagement;
            import dev.spindle.observe.dashboard.Dashboard;
            import dev.spindle.testkit.Simulation;
            import java.time.Duration;

            public final class Tour {
                public static void main(String[] arguments) throws Exception {
                    try (Spindle spindle = Spindle.builder()
                                    .threadFactory(PinnedThreads.builder().maxPinned(1).build())
                                    .build();
                            SpindleManagement management = SpindleManagement.register(spindle);
                            Dashboard dashboard = Dashboard.open(spindle);
                            Actors actors = Actors.create(spindle)) {
                        Channel<String> channel = Channel.buffered("channel", 2);
                        ActorRef<String> actor = actors.actor("actor", () -> (message, self) -> channel.offer(message));
                        actor.send("toured");
                        Deadline deadline = Deadline.after(spindle, Duration.ofSeconds(20));
                        if (!new SpindleHealth(spindle).check().isLive() || deadline == null || dashboard.uri() == null
                                || management.objectName() == null) {
                            throw new AssertionError("not live");
                        }
                        String text = channel.receive();
                        try (Gateway gateway = Gateway.create(GatewayConfig.parse("tour.yaml", \"\"\"
                                listen: 127.0.0.1:0
                                backends:
                                  users: {url: http://127.0.0.1:9}
                                routes:
                                  - {path: /users, proxy: users}
                                \"\"\"));
                                Simulation simulation = Simulation.inOrder()) {
                            simulation.spindle().execute(() -> System.out.println(text));
                            simulation.run();
                            if (gateway.address().getPort() == 0) {
                                throw new AssertionError("no port");
                            }
                        }
                    }
                }
            }
            """;

    private Programs() {}

    /** Writes the program of core below {@code sources}. */
    static Path hello(Path sources) throws IOException {
        return write(sources.resolve("app/Hello.java"), HELLO);
    }

    /** Writes the program of all modules below {@code sources}. */
    static Path tour(Path sources) throws IOException {
        return write(sources.resolve("app/Tour.java"), TOUR);
    }

    /** Writes the declaration of a module that requires the named ones. */
    static Path declaration(Path sources, String... required) throws IOException {
        StringBuilder text = new StringBuilder("module app {\n");
        for (String module : required) {
            text.append("    requires ").append(module).append(";\n");
        }
        return write(sources.resolve("module-info.java"), text + "}\n");
    }

    static Path write(Path file, String text) throws IOException {
        Path folder = file.getParent();
        if (folder != null) {
            Files.createDirectories(folder);
        }
        return Files.writeString(file, text);
    }
}
