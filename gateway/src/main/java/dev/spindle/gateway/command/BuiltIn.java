// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway.command;

import dev.spindle.gateway.config.ConfigException;
import dev.spindle.gateway.config.GatewayConfig;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;

/** What runs without a file: routes to seven echo servers, and the lines to try them with. */
final class BuiltIn {
    private static final String FILE = "builtin.yaml";

    private BuiltIn() {}

    static GatewayConfig config() throws IOException, ConfigException {
        try (InputStream in = BuiltIn.class.getResourceAsStream(FILE)) {
            if (in == null) {
                throw new IOException("the built-in file is missing");
            }
            return GatewayConfig.parse(FILE, new String(in.readAllBytes(), StandardCharsets.UTF_8));
        }
    }

    static String text(int port) {
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
