// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway;

import static java.util.Objects.requireNonNull;

import dev.spindle.gateway.config.MistakesException;
import dev.spindle.gateway.config.Settings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The configuration of a gateway, from a route file: its addresses, its limits, its backends and its routes. Immutable.
 *
 * <pre>{@code
 * GatewayConfig config = GatewayConfig.parse("shop", """
 *         listen: 127.0.0.1:8080
 *         backends:
 *           users: {url: "http://127.0.0.1:9001"}
 *           orders: {url: "http://127.0.0.1:9002", limit: 2s, breaker: on}
 *         routes:
 *           - {path: /orders/*, proxy: orders}
 *           - {path: /page, multicast: [users, orders], need: 1}
 *         """);
 * }</pre>
 */
public final class GatewayConfig {
    final Settings settings;

    GatewayConfig(Settings settings) {
        this.settings = settings;
    }

    /**
     * Reads a route file.
     *
     * @throws IOException if the file cannot be read
     * @throws ConfigException if the file has mistakes
     */
    public static GatewayConfig read(Path file) throws IOException, ConfigException {
        return parse(file.toString(), Files.readString(file));
    }

    /**
     * Reads the text of a route file.
     *
     * @param name the name of the file in messages; paths in the text are relative to its folder
     * @throws ConfigException if the text has mistakes
     */
    public static GatewayConfig parse(String name, String text) throws ConfigException {
        try {
            return new GatewayConfig(Settings.parse(requireNonNull(name, "name"), requireNonNull(text, "text")));
        } catch (MistakesException e) {
            throw new ConfigException(e);
        }
    }

    /** Returns a string with the address and the numbers of backends and routes. */
    @Override
    public String toString() {
        return "configuration of " + settings.listen() + " with "
                + settings.backends().size() + " backends and "
                + settings.routes().size() + " routes";
    }
}
