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
import java.io.PrintWriter;
import java.nio.file.Files;
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

    @Override
    public Integer call() throws InterruptedException {
        CommandSpec command = Objects.requireNonNull(spec, "picocli sets it");
        PrintWriter out = command.commandLine().getOut();
        PrintWriter err = command.commandLine().getErr();
        GatewayConfig config = read(err);
        if (config == null) {
            return REFUSED;
        }
        if (check) {
            out.println((file == null ? "the built-in file" : file) + " is right: "
                    + config.backends().size() + " backends, " + config.routes().size() + " routes");
            out.flush();
            return 0;
        }
        EchoServers echo = null;
        try {
            if (file == null) {
                echo = EchoServers.start(List.of(9001, 9002, 9003, 9004, 9005, 9006, 9007), DEFAULT_DELAY, 20, 64);
                echo.openAdmin(9000);
            }
            return run(config, out, err);
        } catch (IOException e) {
            err.println("spindle gateway: " + e.getMessage());
            err.flush();
            return CANNOT_START;
        } finally {
            if (echo != null) {
                echo.close();
            }
        }
    }

    private @Nullable GatewayConfig read(PrintWriter err) {
        try {
            return file == null ? BuiltIn.config() : GatewayConfig.read(file);
        } catch (ConfigException e) {
            err.println(e.getMessage());
        } catch (NoSuchFileException e) {
            err.println("spindle gateway: there is no file " + file);
        } catch (IOException e) {
            err.println("spindle gateway: cannot read " + file + ": " + e.getMessage());
        }
        err.flush();
        return null;
    }

    private int run(GatewayConfig config, PrintWriter out, PrintWriter err) throws IOException, InterruptedException {
        CountDownLatch told = new CountDownLatch(1);
        AtomicBoolean again = new AtomicBoolean();
        Signals.on("TERM", told::countDown);
        Signals.on("INT", told::countDown);
        Signals.on("HUP", () -> again.set(true));
        Gateway gateway = "-".equals(config.accessLog())
                ? Gateway.start(config, new FileOutputStream(FileDescriptor.out))
                : Gateway.start(config);
        out.println("gateway: sockets are served by " + gateway.transport());
        out.println("gateway: listening at " + gateway.address());
        gateway.admin().ifPresent(at -> out.println("gateway: /live, /ready and /metrics at " + at));
        gateway.agent().ifPresent(at -> out.println("gateway: agent check at " + at));
        if (file == null) {
            BuiltIn.print(out, gateway.address().port());
        }
        out.flush();
        FileState seen = FileState.of(file);
        while (!told.await(1, TimeUnit.SECONDS)) {
            FileState now = watch ? FileState.of(file) : seen;
            if (file != null && (again.getAndSet(false) || !now.equals(seen))) {
                seen = now;
                reload(gateway, out, err);
            }
        }
        out.println("gateway: draining");
        out.flush();
        int cut = gateway.drain().join();
        out.println("gateway: ended, " + cut + " requests cut off");
        out.flush();
        gateway.close();
        return 0;
    }

    private void reload(Gateway gateway, PrintWriter out, PrintWriter err) {
        GatewayConfig next = read(err);
        if (next == null) {
            err.println("gateway: going on with the old routes");
        } else {
            try {
                gateway.reload(next);
                out.println("gateway: took " + next.backends().size() + " backends and "
                        + next.routes().size() + " routes of " + file);
            } catch (IllegalArgumentException e) {
                err.println("gateway: going on with the old routes: " + e.getMessage());
            }
        }
        out.flush();
        err.flush();
    }

    /** What changes when a file is written. */
    private record FileState(long time, long size) {
        static FileState of(@Nullable Path file) {
            try {
                return file == null
                        ? new FileState(0, 0)
                        : new FileState(Files.getLastModifiedTime(file).toMillis(), Files.size(file));
            } catch (IOException e) {
                return new FileState(-1, -1);
            }
        }
    }
}
