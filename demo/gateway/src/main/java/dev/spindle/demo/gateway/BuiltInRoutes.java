// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.demo.gateway;

import dev.spindle.gateway.command.BuiltIn;
import dev.spindle.gateway.config.MistakesException;
import dev.spindle.gateway.config.Settings;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;

/** Four routes to seven echo servers, which need no route file. */
final class BuiltInRoutes implements BuiltIn {
    private static final String FILE = "builtin.yaml";
    private static final List<Integer> PORTS = List.of(9001, 9002, 9003, 9004, 9005, 9006, 9007);
    private static final int ADMIN_PORT = 9000;
    private static final Duration DELAY = Duration.ofMillis(100);

    @Override
    public Settings config() throws IOException, MistakesException {
        try (InputStream in = BuiltInRoutes.class.getResourceAsStream(FILE)) {
            if (in == null) {
                throw new IOException("the built-in file is missing");
            }
            return Settings.parse(FILE, new String(in.readAllBytes(), StandardCharsets.UTF_8));
        }
    }

    @Override
    public Servers start() throws IOException {
        EchoServers echo = EchoServers.start(PORTS, DELAY, 20, 64);
        try {
            int unused = echo.openAdmin(ADMIN_PORT);
        } catch (IOException | RuntimeException e) {
            echo.close();
            throw e;
        }
        return echo::close;
    }

    @Override
    public String text(int port) {
        return String.join(
                System.lineSeparator(),
                "Seven echo servers answer after 100 ms. Try:",
                "  curl -i http://localhost:" + port + "/one                  one backend",
                "  curl -i http://localhost:" + port + "/small                two at once",
                "  curl -i http://localhost:" + port + "/large                seven at once",
                "  curl -i http://localhost:" + port + "/steps -d hello       four, one after another",
                "  curl -i http://localhost:" + port + "/large -H 'X-Deadline-Ms: 90'    less time than they take",
                "  curl -X PUT 'http://localhost:9000/echo?delay=20ms'    make them faster",
                "  curl http://localhost:8081/metrics");
    }
}
