// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway.command;

import dev.spindle.gateway.config.MistakesException;
import dev.spindle.gateway.config.Settings;
import java.io.IOException;

/** Routes that {@link GatewayCommand} runs if it is given no file, with the servers that they call. */
public interface BuiltIn {
    /**
     * Returns the routes.
     *
     * @throws IOException if they cannot be read
     * @throws MistakesException if they have mistakes
     */
    Settings config() throws IOException, MistakesException;

    /**
     * Starts the servers that the routes call.
     *
     * @throws IOException if a port cannot be bound
     */
    Servers start() throws IOException;

    /**
     * Returns the lines that tell a person how to try the routes.
     *
     * @param port the port of the gateway
     */
    String text(int port);

    /** Running servers, which end when this is closed. */
    interface Servers extends AutoCloseable {
        @Override
        void close();
    }
}
