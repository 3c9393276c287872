// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.demo.gateway;

import dev.spindle.commands.ConsoleCommand;
import dev.spindle.commands.Range;
import dev.spindle.gateway.command.Signals;
import dev.spindle.gateway.config.Settings;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code spindle gateway echo}: starts servers that a gateway can call. */
@Command(
        name = "echo",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        usageHelpAutoWidth = true,
        header = "Runs servers that answer every request after a delay.",
        footer = {
            "",
            "GET /echo at the admin port counts calls; PUT /echo?delay=20ms&jitter=0&calls=0 changes the delay."
        })
final class EchoCommand extends ConsoleCommand {
    private static final int MOST_SIZE = 16 << 20;
    private static final int MOST_PORT = 65_535;
    private static final int MOST_SERVERS = 1_000;

    @Option(
            names = "--ports",
            paramLabel = "FROM-TO",
            defaultValue = "9001-9007",
            description = "Default: ${DEFAULT-VALUE}.")
    private String ports = "9001-9007";

    @Option(
            names = "--delay",
            paramLabel = "TIME",
            defaultValue = "100ms",
            description = "How long an answer takes. Default: ${DEFAULT-VALUE}.")
    private String delay = "100ms";

    @Range(least = 0, most = 100)
    @Option(
            names = "--jitter",
            paramLabel = "PERCENT",
            defaultValue = "0",
            description = "The delay is drawn from so many per cent around it. Default: ${DEFAULT-VALUE}.")
    private int jitter;

    @Range(least = 0, most = MOST_SIZE)
    @Option(
            names = "--size",
            paramLabel = "BYTES",
            defaultValue = "64",
            description = "Bytes in a body. Default: ${DEFAULT-VALUE}.")
    private int size = 64;

    @Range(least = 1, most = MOST_PORT)
    @Option(names = "--admin", paramLabel = "PORT", description = "Default: the first port less one.")
    private @Nullable Integer admin;

    @Override
    protected int run() throws InterruptedException {
        List<Integer> all = parsedPorts();
        Duration time;
        try {
            time = Settings.time(delay);
        } catch (IllegalArgumentException e) {
            throw usage("Invalid value for option '--delay': " + e.getMessage());
        }
        if (all.contains(admin)) {
            throw usage("Invalid value for option '--admin': " + admin + " is one of --ports; name another");
        }
        CountDownLatch told = new CountDownLatch(1);
        Signals.on("TERM", told::countDown);
        Signals.on("INT", told::countDown);
        try (EchoServers servers = EchoServers.start(all, time, jitter, size)) {
            int adminPort = servers.openAdmin(admin == null ? all.get(0) - 1 : admin);
            out().println("echo: listening at ports " + ports + ", admin at " + adminPort);
            out().flush();
            told.await();
            return 0;
        } catch (IOException e) {
            err().println("spindle gateway echo: " + e.getMessage());
            err().flush();
            return 1;
        }
    }

    private List<Integer> parsedPorts() {
        String[] ends = ports.split("-", -1);
        try {
            int from = Integer.parseInt(ends[0]);
            int to = ends.length == 1 ? from : Integer.parseInt(ends[1]);
            if (ends.length <= 2 && from >= 2 && from <= to && to <= MOST_PORT && to - from < MOST_SERVERS) {
                List<Integer> all = new ArrayList<>();
                for (int port = from; port <= to; port++) {
                    all.add(port);
                }
                return all;
            }
        } catch (NumberFormatException e) {
            // refused below
        }
        throw wrong(
                "--ports",
                ports,
                "is no range of ports, at most " + MOST_SERVERS + " from 2 to " + MOST_PORT
                        + "; write for example 9001-9007");
    }
}
