// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway.command;

import dev.spindle.gateway.EchoServers;
import dev.spindle.gateway.Gateway;
import dev.spindle.gateway.config.ConfigException;
import dev.spindle.gateway.config.GatewayConfig;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code spindle gateway}: runs a gateway until it is told to end. */
@Command(
        name = "gateway",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        usageHelpAutoWidth = true,
        header = "Answers each HTTP request with calls of other servers, on a thread per processor.",
        subcommands = EchoCommand.class,
        footerHeading = "%nExamples:%n",
        footer = {
            "  spindle gateway                                seven echo servers and four routes to try",
            "  spindle gateway --routes gateway.yaml          your own",
            "  spindle gateway --routes gateway.yaml --check  says what is wrong with the file",
            "",
            "SIGTERM drains and ends with status 0; SIGHUP reads the file again.",
            "Exit status: 0 ended as told, or the file is right; 1 could not start; 2 wrong usage or file.",
            "The file is described in docs/gateway.md."
        })
final class GatewayCommand implements Callable<Integer> {
    private static final int CANNOT_START = 1;
    private static final int REFUSED = 2;
    private static final Duration DEFAULT_DELAY = Duration.ofMillis(100);

    @Option(
            names = "--routes",
            paramLabel = "FILE",
            description = "The file that says what to do. Default: the built-in one.")
    private @Nullable Path file;

    @Option(names = "--check", description = "Read the file, say what is wrong with it, and end.")
    private boolean check;

    @Option(
            names = "--watch",
            negatable = true,
            defaultValue = "true",
            fallbackValue = "true",
            description = "Read the file again when it changes, looking once per second. This is the default.")
    private boolean watch;

    @Spec
    private @Nullable CommandSpec spec;

    private final AtomicBoolean again = new AtomicBoolean();
    private @Nullable RouteFile watched;
    /** Whether the file could not be read the last time, for want of file descriptors, say: it is tried again. */
    private boolean unread;

    @Override
    public Integer call() throws InterruptedException {
        CommandSpec command = Objects.requireNonNull(spec, "picocli sets it");
        Console console = new Console(
                command.commandLine().getOut(), command.commandLine().getErr());
        try {
            return call(console);
        } finally {
            console.end();
        }
    }

    private int call(Console console) throws InterruptedException {
        CountDownLatch told = new CountDownLatch(1);
        watched = file == null ? null : new RouteFile(file);
        GatewayConfig config =
                watched != null && watched.isYoung() ? readSettled(watched, told, console) : read(console);
        if (config == null) {
            return REFUSED;
        }
        if (check) {
            console.say((file == null ? "the built-in file" : file) + " is right: "
                    + config.backends().size() + " backends, " + config.routes().size() + " routes");
            return 0;
        }
        EchoServers echo = null;
        try {
            if (file == null) {
                echo = EchoServers.start(List.of(9001, 9002, 9003, 9004, 9005, 9006, 9007), DEFAULT_DELAY, 20, 64);
                echo.openAdmin(9000);
            }
            return run(config, told, console);
        } catch (IOException e) {
            console.complain("spindle gateway: " + e.getMessage());
            return CANNOT_START;
        } finally {
            if (echo != null) {
                echo.close();
            }
        }
    }

    private @Nullable GatewayConfig read(Console console) {
        boolean failedBefore = unread;
        unread = false;
        try {
            return file == null ? BuiltIn.config() : GatewayConfig.read(file);
        } catch (ConfigException e) {
            console.complain(String.valueOf(e.getMessage()));
        } catch (NoSuchFileException e) {
            console.complain("spindle gateway: there is no file " + file);
        } catch (IOException e) {
            unread = true;
            if (!failedBefore) {
                console.complain("spindle gateway: cannot read " + file + ": " + e.getMessage());
            }
        }
        return null;
    }

    private int run(GatewayConfig config, CountDownLatch told, Console console)
            throws IOException, InterruptedException {
        Signals.on("TERM", told::countDown);
        Signals.on("INT", told::countDown);
        Signals.on("HUP", () -> again.set(true));
        Gateway gateway = "-".equals(config.accessLog())
                ? Gateway.start(config, new FileOutputStream(FileDescriptor.out))
                : Gateway.start(config);
        console.say("gateway: sockets are served by " + gateway.transport());
        console.say("gateway: listening at " + gateway.address());
        gateway.admin().ifPresent(at -> console.say("gateway: /live, /ready and /metrics at " + at));
        gateway.agent().ifPresent(at -> console.say("gateway: agent check at " + at));
        if (file == null) {
            console.say(BuiltIn.text(gateway.address().port()));
        }
        while (!told.await(1, TimeUnit.SECONDS)) {
            look(gateway, told, console);
        }
        console.say("gateway: draining");
        int cut = gateway.drain().join();
        console.say("gateway: ended, " + cut + " requests cut off");
        gateway.close();
        return 0;
    }

    /** Reads the file again if it has changed. Whatever fails, the gateway goes on with what it has. */
    private void look(Gateway gateway, CountDownLatch told, Console console) throws InterruptedException {
        RouteFile of = watched;
        try {
            if (of != null && (again.getAndSet(false) || unread || (watch && of.hasChanged()))) {
                reload(gateway, of, told, console);
            }
        } catch (RuntimeException | Error e) {
            console.complain("gateway: going on with the old routes: " + e);
        }
    }

    /** Reads the file when it is not being written; null if it has mistakes, or the gateway was told to end. */
    private @Nullable GatewayConfig readSettled(RouteFile of, CountDownLatch told, Console console)
            throws InterruptedException {
        GatewayConfig config = null;
        boolean settled;
        do {
            settled = of.settle(time -> told.await(time.toMillis(), TimeUnit.MILLISECONDS));
            config = settled ? read(console) : null;
        } while (settled && of.hasChanged());
        return config;
    }

    private void reload(Gateway gateway, RouteFile of, CountDownLatch told, Console console)
            throws InterruptedException {
        boolean failedBefore = unread;
        GatewayConfig next = readSettled(of, told, console);
        if (told.getCount() == 0) {
            return;
        }
        if (next == null) {
            if (!failedBefore || !unread) {
                console.complain("gateway: going on with the old routes");
            }
            return;
        }
        try {
            gateway.reload(next);
            console.say("gateway: took " + next.backends().size() + " backends and "
                    + next.routes().size() + " routes of " + file);
        } catch (IllegalArgumentException e) {
            console.complain("gateway: going on with the old routes: " + e.getMessage());
        }
    }
}
