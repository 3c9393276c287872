// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway.config;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.snakeyaml.engine.v2.nodes.Node;

/** A reader that creates settings from YAML text. A reader is used once, by one thread. */
final class YamlReader {
    private final YamlNodes nodes;
    private final BackendReader backends;
    private final RouteReader routes;

    /**
     * Creates a reader.
     *
     * @param file the name of the file, in messages
     */
    YamlReader(String file) {
        nodes = new YamlNodes(file);
        backends = new BackendReader(nodes);
        routes = new RouteReader(nodes);
    }

    /**
     * Returns the configuration.
     *
     * @throws MistakesException with all mistakes, in the order of their positions
     */
    Settings read(String text) throws MistakesException {
        Settings.Builder builder = Settings.builder();
        List<String> names = new ArrayList<>();
        Node root = nodes.compose(text);
        if (root != null) {
            gateway(root, builder, names);
            routes.check(names);
        }
        if (nodes.areRight()) {
            try {
                return builder.build();
            } catch (IllegalArgumentException e) {
                nodes.mistake(String.valueOf(e.getMessage()));
            }
        }
        throw nodes.failure();
    }

    // ---------------------------------------------------------------- the parts of the file

    /**
     * Reads the whole file.
     *
     * @param names the list that receives the names of all backends, including backends with mistakes, so that a route
     *     to such a backend is not reported as well
     */
    private void gateway(Node node, Settings.Builder to, List<String> names) {
        YamlNodes.Keys keys = nodes.keys("the file")
                .text("listen", text -> to.listen(Address.parse(text)))
                .text("threads", text -> to.threads(ValueParser.number(text)))
                .text("admin", text -> to.admin(Address.parse(text)))
                .text("agent", text -> to.agent(Address.parse(text)))
                .text("http2", text -> to.http2(ValueParser.flag(text)))
                .text("deadline-header", to::deadlineHeader)
                .text("access-log", to::accessLog)
                .text("resolver", text -> to.resolver(Address.parse(text)))
                .node("trust", at -> trust(at, to))
                .node("tls", at -> tls(at, to))
                .node("limits", at -> limits(at, to))
                .node(
                        "drain",
                        at -> nodes.keys("drain")
                                .text("notice", text -> to.drainNotice(ValueParser.time(text)))
                                .text("limit", text -> to.drainLimit(ValueParser.time(text)))
                                .read(at))
                .node(
                        "backends",
                        at -> nodes.entries(at, "backends", (name, value) -> {
                            names.add(name);
                            backends.read(name, value, to);
                        }))
                .node("routes", at -> nodes.items(at, "routes", item -> routes.read(item, to)));
        keys.read(node);
        keys.need(node, "backends", "routes");
    }

    /** Reads the addresses of trusted proxies, and the way in which they tell the address of the client. */
    private void trust(Node node, Settings.Builder to) {
        List<Network> from = new ArrayList<>();
        TrustConfig.By[] by = new TrustConfig.By[1];
        YamlNodes.Keys keys = nodes.keys("trust")
                .node(
                        "from",
                        at -> nodes.items(at, "from", item -> {
                            String text = nodes.scalar(item, "a network");
                            if (text != null) {
                                nodes.at(item, () -> from.add(Network.parse(text)));
                            }
                        }))
                .text(
                        "by",
                        text -> by[0] = switch (text) {
                            case "x-forwarded-for" -> TrustConfig.By.X_FORWARDED_FOR;
                            case "forwarded" -> TrustConfig.By.FORWARDED;
                            case "proxy-protocol" -> TrustConfig.By.PROXY_PROTOCOL;
                            default ->
                                throw new IllegalArgumentException(
                                        "'" + text + "' is none of x-forwarded-for, forwarded, proxy-protocol");
                        });
        keys.read(node);
        if (keys.need(node, "from", "by") && by[0] != null && !from.isEmpty()) {
            to.trust(new TrustConfig(from, by[0]));
        }
    }

    /** Reads the files of the TLS identity. */
    private void tls(Node node, Settings.Builder to) {
        Path[] files = new Path[2];
        YamlNodes.Keys keys = nodes.keys("tls")
                .text("certificate", text -> files[0] = nodes.path(text))
                .text("key", text -> files[1] = nodes.path(text))
                .text("listen", text -> to.tlsListen(Address.parse(text)))
                .node("more", at -> nodes.items(at, "more", item -> identity(item, to::moreTls)));
        keys.read(node);
        identity(node, keys, files, to::tls);
    }

    /** Reads one more TLS identity. */
    private void identity(Node node, Consumer<Settings.Tls> to) {
        Path[] files = new Path[2];
        YamlNodes.Keys keys = nodes.keys("more")
                .text("certificate", text -> files[0] = nodes.path(text))
                .text("key", text -> files[1] = nodes.path(text));
        keys.read(node);
        identity(node, keys, files, to);
    }

    private void identity(Node node, YamlNodes.Keys keys, Path[] files, Consumer<Settings.Tls> to) {
        if (keys.need(node, "certificate", "key") && files[0] != null && files[1] != null) {
            nodes.at(node, () -> {
                var unused =
                        PemFiles.key(files[1], PemFiles.certificates(files[0]).get(0));
                to.accept(new Settings.Tls(files[0], files[1]));
            });
        }
    }

    /** Reads the limits of the server side. */
    private void limits(Node node, Settings.Builder to) {
        Limits.Builder limits = Limits.builder();
        nodes.keys("limits")
                .text("head", text -> limits.head(ValueParser.size(text)))
                .text("line", text -> limits.line(ValueParser.size(text)))
                .text("fields", text -> limits.fields(ValueParser.number(text)))
                .text("body", text -> limits.body(ValueParser.size(text)))
                .text("answer", text -> limits.answer(ValueParser.size(text)))
                .text("memory", text -> limits.memory(ValueParser.size(text)))
                .text("connections", text -> limits.connections(ValueParser.number(text)))
                .text("streams", text -> limits.streams(ValueParser.number(text)))
                .text("head-time", text -> limits.headTime(ValueParser.time(text)))
                .text("body-time", text -> limits.bodyTime(ValueParser.time(text)))
                .text("write-time", text -> limits.writeTime(ValueParser.time(text)))
                .text("idle-time", text -> limits.idleTime(ValueParser.time(text)))
                .text("per-client", text -> limits.perClient(ValueParser.number(text)))
                .node("requests", at -> backends.concurrency(at, "requests", limits::requests))
                .read(node);
        to.limits(limits.build());
    }
}
