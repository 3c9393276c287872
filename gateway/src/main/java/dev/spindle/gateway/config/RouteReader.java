// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway.config;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.ScalarNode;

/** A reader of the routes of a route file. Used by one thread. */
final class RouteReader {
    private final YamlNodes nodes;
    /** Each use of a backend's name in a route. */
    private final List<RouteUse> uses = new ArrayList<>();

    RouteReader(YamlNodes nodes) {
        this.nodes = nodes;
    }

    /**
     * Reads a route. The builder needs path and kind, so the other options are applied after all keys have been read.
     */
    void read(Node node, Settings.Builder to) {
        String[] path = {""};
        Node[] pathAt = {node};
        List<RouteConfig.Kind> kinds = new ArrayList<>();
        List<Node> names = new ArrayList<>();
        List<Consumer<RouteConfig.Builder>> settings = new ArrayList<>();
        YamlNodes.Keys keys = nodes.keys("a route")
                .node("path", at -> {
                    pathAt[0] = at;
                    path[0] = Objects.requireNonNullElse(nodes.scalar(at, "path"), "");
                })
                .node("proxy", at -> {
                    kinds.add(RouteConfig.Kind.PROXY);
                    names.add(at);
                })
                .node("multicast", at -> {
                    kinds.add(RouteConfig.Kind.MULTICAST);
                    nodes.items(at, "multicast", names::add);
                })
                .node("pipeline", at -> {
                    kinds.add(RouteConfig.Kind.PIPELINE);
                    nodes.items(at, "pipeline", names::add);
                })
                .routeSetting("limit", settings, (b, text) -> b.limit(ValueParser.time(text)))
                .routeSetting("need", settings, (b, text) -> b.need(need(text)))
                .routeSetting("strip", settings, RouteConfig.Builder::strip)
                .routeSetting("body", settings, (b, text) -> b.body(ValueParser.size(text)))
                .node("host", at -> hosts(at, settings))
                .node("order", at -> order(at, settings));
        keys.read(node);
        if (!keys.need(node, "path") || path[0].isEmpty()) {
            return;
        }
        if (kinds.size() != 1) {
            nodes.mistake(
                    node, "a route has exactly one of proxy, multicast and pipeline; this one has " + kinds.size());
            return;
        }
        List<String> backends = new ArrayList<>();
        for (Node at : names) {
            String name = nodes.scalar(at, "the name of a backend");
            if (name != null) {
                backends.add(name);
                uses.add(new RouteUse(name, at));
            }
        }
        if (backends.isEmpty()) {
            return;
        }
        nodes.at(pathAt[0], () -> {
            RouteConfig.Builder builder = RouteConfig.of(kinds.get(0), path[0], backends);
            settings.forEach(setting -> setting.accept(builder));
            to.route(builder.build());
        });
    }

    /** Reads the host of a route, or its hosts. */
    private void hosts(Node node, List<Consumer<RouteConfig.Builder>> settings) {
        List<String> names = new ArrayList<>();
        Consumer<Node> add = item -> {
            String text = nodes.scalar(item, "a host");
            if (text != null) {
                nodes.at(item, () -> {
                    HostName unused = HostName.pattern(text);
                    names.add(text);
                });
            }
        };
        if (node instanceof ScalarNode) {
            add.accept(node);
        } else {
            nodes.items(node, "host", add);
        }
        settings.add(builder -> nodes.at(node, () -> builder.hosts(names)));
    }

    /** Returns the number of answers that a multicast needs. */
    private static int need(String text) {
        return switch (text) {
            case "all" -> RouteConfig.ALL;
            case "available" -> RouteConfig.AVAILABLE;
            case "any" -> 1;
            default -> ValueParser.number(text);
        };
    }

    /** Reads the order of the requests of a route. */
    private void order(Node node, List<Consumer<RouteConfig.Builder>> settings) {
        if (node instanceof ScalarNode scalar) {
            nodes.at(node, () -> {
                RequestOrder order = switch (scalar.getValue()) {
                    case "none" -> RequestOrder.none();
                    case "connection" -> RequestOrder.byConnection();
                    case "client" -> RequestOrder.byClient();
                    default ->
                        throw new IllegalArgumentException("'" + scalar.getValue()
                                + "' is no order; write none, connection, client, {header: NAME} or {segment: NUMBER}");
                };
                settings.add(builder -> builder.order(order));
            });
            return;
        }
        nodes.keys("order")
                .text("header", text -> {
                    RequestOrder order = RequestOrder.byHeader(text);
                    settings.add(builder -> builder.order(order));
                })
                .text("segment", text -> {
                    RequestOrder order = RequestOrder.bySegment(ValueParser.number(text));
                    settings.add(builder -> builder.order(order));
                })
                .read(node);
    }

    /** Adds a mistake for each use of a backend's name that is not in the file. */
    void check(List<String> backends) {
        uses.forEach(use -> check(use, backends));
    }

    private void check(RouteUse use, List<String> backends) {
        if (!backends.contains(use.name)) {
            nodes.mistake(use.at, "there is no backend named '" + use.name + "'" + Suggestion.of(use.name, backends));
        }
    }

    /** A use of a backend's name in a route. */
    private record RouteUse(String name, Node at) {}
}
