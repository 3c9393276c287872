// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway.command;

import static java.util.Objects.requireNonNull;

import dev.spindle.gateway.config.MistakesException;
import dev.spindle.gateway.config.Settings;
import dev.spindle.gateway.server.NettyGateway;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * {@code spindle gateway}: runs a gateway until a signal ends it.
 *
 * <p>The thread of the command starts the gateway, checks the file once per second, and drains the gateway. Signal
 * handlers only set a flag or count down a latch, which this thread checks.
 */
@Command(
        name = "gateway",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        usageHelpAutoWidth = true,
        header = "Answers each HTTP request with calls of other servers, on a thread per processor.",
        footerHeading = "%nExamples:%n",
        footer = {
            "  spindle gateway --routes gateway.yaml          your own routes",
            "  spindle gateway --routes gateway.yaml --check  says what is wrong with the file",
            "",
            "SIGTERM drains and ends with status 0; SIGHUP reads the file again,",
            "SIGUSR1 opens the access log again.",
            "Exit status: 0 ended as told, or the file is right; 1 could not start; 2 wrong usage or file.",
            "The file is described in docs/gateway.md."
        })
public class GatewayCommand implements Callable<Integer> {
    /** The exit status if an address cannot be bound. */
    private static final int CANNOT_START = 1;
    /** The exit status of wrong usage, or of a file with mistakes. */
    private static final int REFUSED = 2;

    @Option(names = "--routes", paramLabel = "FILE", description = "The file that says what to do.")
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

    /** True if a SIGUSR1 has requested that the access log be opened again. */
    private final AtomicBoolean reopens = new AtomicBoolean();
    /** True if a SIGHUP has requested that the file be read again. */
    private final AtomicBoolean again = new AtomicBoolean();
    /** The file, with its state at the last reading; null for the built-in routes. */
    private @Nullable RouteFile watched;
    /**
     * True if the last attempt to read an existing file failed, for example because file descriptors were exhausted.
     * The next check tries again.
     */
    private boolean unread;

    /** Returns the routes to run if no file is given; null if a file is required, as in this class. */
    protected @Nullable BuiltIn builtIn() {
        return null;
    }

    @Override
    public final Integer call() throws InterruptedException {
        CommandSpec command = requireNonNull(spec, "picocli sets it");
        Console console = new Console(
                command.commandLine().getOut(), command.commandLine().getErr());
        if (file == null && builtIn() == null) {
            throw new ParameterException(command.commandLine(), "Missing required option: '--routes=FILE'");
        }
        try {
            return call(console);
        } finally {
            console.end();
        }
    }

    /** Checks the routes, or runs them until a signal arrives. */
    private int call(Console console) throws InterruptedException {
        CountDownLatch told = new CountDownLatch(1);
        watched = file == null ? null : new RouteFile(file);
        Settings config = watched != null && watched.isYoung() ? readSettled(watched, told, console) : read(console);
        if (config == null) {
            return REFUSED;
        }
        if (check) {
            console.say((file == null ? "the built-in file" : file) + " is right: "
                    + config.backends().size() + " backends, " + config.routes().size() + " routes");
            return 0;
        }
        BuiltIn trial = file == null ? builtIn() : null;
        BuiltIn.Servers servers = null;
        try {
            if (trial != null) {
                servers = trial.start();
            }
            return run(config, trial, told, console);
        } catch (IOException e) {
            console.complain("spindle gateway: " + e.getMessage());
            return CANNOT_START;
        } finally {
            if (servers != null) {
                servers.close();
            }
        }
    }

    /**
     * Returns the routes, or reports the reason and returns null. If the file cannot be read twice in a row, only the
     * first failure is reported.
     */
    private @Nullable Settings read(Console console) {
        boolean failedBefore = unread;
        unread = false;
        try {
            BuiltIn trial = builtIn();
            return file == null && trial != null ? trial.config() : Settings.read(requireNonNull(file));
        } catch (MistakesException e) {
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

    /** Runs a gateway until SIGTERM or SIGINT, and drains it. */
    private int run(Settings config, @Nullable BuiltIn trial, CountDownLatch told, Console console)
            throws IOException, InterruptedException {
        Signals.on("TERM", told::countDown);
        Signals.on("INT", told::countDown);
        Signals.on("HUP", () -> again.set(true));
        Signals.on("USR1", () -> reopens.set(true));
        NettyGateway.sampleNoBuffers();
        NettyGateway gateway = "-".equals(config.accessLog())
                ? NettyGateway.start(config, new FileOutputStream(FileDescriptor.out))
                : NettyGateway.start(config);
        console.say("gateway: sockets are served by " + gateway.transport());
        console.say("gateway: listening at " + gateway.address());
        gateway.secureAddress().ifPresent(at -> console.say("gateway: listening with TLS at " + at));
        gateway.admin().ifPresent(at -> console.say("gateway: /live, /ready and /metrics at " + at));
        gateway.agent().ifPresent(at -> console.say("gateway: agent check at " + at));
        if (trial != null) {
            console.say(trial.text(gateway.address().port()));
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

    /**
     * Opens the access log again after a SIGUSR1. Reads the file again after a SIGHUP, after a failed attempt to read
     * it, or, with {@code --watch}, after a change. If reading fails, the gateway continues with the old routes. The
     * built-in routes are never read again.
     */
    private void look(NettyGateway gateway, CountDownLatch told, Console console) throws InterruptedException {
        RouteFile of = watched;
        if (reopens.getAndSet(false)) {
            try {
                gateway.reopenLog();
                console.say("gateway: opened the access log again");
            } catch (IOException e) {
                console.complain("gateway: going on with the old access log: " + e.getMessage());
            }
        }
        try {
            if (of != null && (again.getAndSet(false) || unread || (watch && of.hasChanged()))) {
                reload(gateway, of, told, console);
            }
        } catch (RuntimeException | Error e) {
            console.complain("gateway: going on with the old routes: " + e);
        }
    }

    /**
     * Waits until the file has not changed for 100 ms, and reads it. Returns null if reading failed or a signal ended
     * the wait.
     */
    private @Nullable Settings readSettled(RouteFile of, CountDownLatch told, Console console)
            throws InterruptedException {
        Settings config = null;
        boolean settled;
        do {
            settled = of.settle(time -> told.await(time.toMillis(), TimeUnit.MILLISECONDS));
            config = settled ? read(console) : null;
        } while (settled && of.hasChanged());
        return config;
    }

    /** Replaces the routes with those of the file, unless they cannot be read or used, or a signal has arrived. */
    private void reload(NettyGateway gateway, RouteFile of, CountDownLatch told, Console console)
            throws InterruptedException {
        boolean failedBefore = unread;
        Settings next = readSettled(of, told, console);
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
