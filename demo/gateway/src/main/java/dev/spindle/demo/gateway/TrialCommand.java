// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.demo.gateway;

import dev.spindle.gateway.command.BuiltIn;
import dev.spindle.gateway.command.GatewayCommand;
import picocli.CommandLine.Command;

/** {@code spindle gateway} with built-in routes, and with a command that starts echo servers. */
@Command(
        name = "gateway",
        subcommands = EchoCommand.class,
        footer = {
            "  spindle gateway                                seven echo servers and four routes to try",
            "  spindle gateway --routes gateway.yaml          your own",
            "  spindle gateway --routes gateway.yaml --check  says what is wrong with the file",
            "",
            "SIGTERM drains and ends with status 0; SIGHUP reads the file again.",
            "Exit status: 0 ended as told, or the file is right; 1 could not start; 2 wrong usage or file.",
            "The file is described in docs/gateway.md."
        })
final class TrialCommand extends GatewayCommand {
    @Override
    protected BuiltIn builtIn() {
        return new BuiltInRoutes();
    }
}
