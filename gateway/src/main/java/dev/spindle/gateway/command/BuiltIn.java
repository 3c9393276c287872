// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway.command;

import dev.spindle.gateway.config.MistakesException;
import dev.spindle.gateway.config.Settings;
import java.io.IOException;

/** Routes that {@link GatewayCommand} runs if no file is given, with the servers that these routes call. */
public interface BuiltIn {
    /**
     * Returns the routes.
     *
     * @throws IOException if the routes cannot be read
     * @throws MistakesException if the routes have mistakes
     */
    Settings config() throws IOException, MistakesException;

    /**
     * Starts the servers that the routes call.
     *
     * @throws IOException if a port cannot be bound
     */
    Servers start() throws IOException;

    /**
     * Returns instructions for trying the routes.
     *
     * @param port the port of the gateway
     */
    String text(int port);

    /** Running servers, which end when this object is closed. */
    interface Servers extends AutoCloseable {
        @Override
        void close();
    }
}
