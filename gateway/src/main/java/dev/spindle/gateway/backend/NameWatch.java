// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway.backend;

import dev.spindle.gateway.config.Address;
import dev.spindle.gateway.loop.ConnectionLoop;
import dev.spindle.gateway.protocol.FailureText;
import io.netty.util.concurrent.Future;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * The addresses of a host name, resolved again and again, each of which is an instance.
 *
 * <p>Until the first answer of a name server, the name itself is the only instance. If the name cannot be resolved, the
 * instances stay. An answer may come from a cache, as its time to live allows. Confined to one event loop, except for
 * {@link #start} and {@link #stop}.
 */
final class NameWatch {
    private final Consumer<List<Address>> instances;
    private final BackendContext context;
    private final Address name;
    private final Duration every;
    private final ConnectionLoop loop;
    private volatile boolean stopped;

    NameWatch(Consumer<List<Address>> instances, BackendContext context, Address name, Duration every) {
        this.instances = instances;
        this.context = context;
        this.name = name;
        this.every = every;
        loop = context.loops().get(0);
    }

    /** Resolves the name for the first time. */
    void start() {
        boolean unused = loop.run(this::resolve);
    }

    /** Ends the watch. */
    void stop() {
        stopped = true;
    }

    private void resolve() {
        if (stopped) {
            return;
        }
        try {
            Future<List<InetSocketAddress>> found = context.transport()
                    .resolver()
                    .getResolver(loop.executor)
                    .resolveAll(InetSocketAddress.createUnresolved(name.host(), name.port()));
            found.addListener((Future<List<InetSocketAddress>> done) -> {
                boolean unused = loop.run(() -> resolved(done));
            });
        } catch (IllegalStateException e) {
            stopped = true; // the resolver is closed
        }
    }

    private void resolved(Future<List<InetSocketAddress>> done) {
        if (stopped) {
            return;
        }
        if (done.isSuccess()) {
            List<Address> all = new ArrayList<>();
            for (InetSocketAddress found : done.getNow()) {
                InetAddress ip = found.getAddress();
                Address address = ip == null ? null : new Address(ip.getHostAddress(), found.getPort());
                if (address != null && !all.contains(address)) {
                    all.add(address);
                }
            }
            if (!all.isEmpty()) {
                instances.accept(all);
            }
        } else {
            context.transport()
                    .failures()
                    .complain(
                            "resolving " + name.host(),
                            "the addresses of " + name.host() + " stay as they are: " + FailureText.of(done.cause()));
        }
        try {
            var unused = loop.executor.schedule(this::resolve, every.toNanos(), TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException e) {
            stopped = true; // the loop has ended
        }
    }
}
