// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway.config;

import dev.spindle.gateway.config.MistakesException.Mistake;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;

/**
 * A reader that creates settings from YAML text. A reader is used once, by one thread.
 *
 * <p>The reader works on YAML nodes, which have their positions in the file. After a mistake the reader continues, so
 * that all mistakes of a file are reported at once. The builders check the values: an IllegalArgumentException of a
 * builder becomes a mistake at the position of the value.
 */
final class YamlReader {
    /** The maximum number of characters of a file that is parsed. Not measured. */
    private static final int LARGEST = 4 << 20;

    /** The name of the file, in messages. */
    private final String file;

    private final List<Mistake> mistakes = new ArrayList<>();

    YamlReader(String file) {
        this.file = file;
    }

    /**
     * Returns the configuration.
     *
     * @throws MistakesException with all mistakes, in the order of their positions
     */
    Settings read(String text) throws MistakesException {
        Settings.Builder builder = Settings.builder();
        List<RouteUse> uses = new ArrayList<>();
        List<String> backends = new ArrayList<>();
        Node root = compose(text);
        if (root != null) {
            gateway(root, builder, backends, uses);
            for (RouteUse use : uses) {
                check(use, backends);
            }
        }
        if (mistakes.isEmpty()) {
            try {
                return builder.build();
            } catch (IllegalArgumentException e) {
                mistakes.add(new Mistake(1, 1, String.valueOf(e.getMessage())));
            }
        }
        mistakes.sort(Comparator.comparingInt(Mistake::line).thenComparingInt(Mistake::column));
        throw new MistakesException(file, mistakes);
    }

    /** Returns the root node of the text, or null after a mistake. */
    private @Nullable Node compose(String text) {
        if (text.length() > LARGEST) {
            mistakes.add(new Mistake(1, 1, "the file has more than 4 MiB"));
            return null;
        }
        try {
            Optional<Node> root =
                    new Compose(LoadSettings.builder().setLabel(file).build()).composeString(text);
            if (root.isEmpty()) {
                mistakes.add(new Mistake(1, 1, "the file is empty; it needs backends: and routes:"));
            }
            return root.orElse(null);
        } catch (MarkedYamlEngineException e) {
            Optional<Mark> mark = e.getProblemMark();
            mistakes.add(new Mistake(
                    mark.map(Mark::getLine).orElse(0) + 1,
                    mark.map(Mark::getColumn).orElse(0) + 1,
                    "this is not YAML: " + String.valueOf(e.getProblem()).strip()));
        } catch (YamlEngineException e) {
            mistakes.add(new Mistake(1, 1, "this is not YAML: " + e.getMessage()));
        }
        return null;
    }

    // ---------------------------------------------------------------- the parts of the file

    /**
     * Reads the whole file.
     *
     * @param backends the list that receives the names of all backends, including backends with mistakes, so that a
     *     route to such a backend is not reported as well
     * @param uses the list that receives each use of a backend's name in a route
     */
    private void gateway(Node node, Settings.Builder to, List<String> backends, List<RouteUse> uses) {
        Keys keys = new Keys("the file")
                .text("listen", text -> to.listen(Address.parse(text)))
                .text("threads", text -> to.threads(ValueParser.number(text)))
                .text("admin", text -> to.admin(Address.parse(text)))
                .text("agent", text -> to.agent(Address.parse(text)))
                .text("http2", text -> to.http2(ValueParser.flag(text)))
                .text("deadline-header", to::deadlineHeader)
                .text("access-log", to::accessLog)
                .node("tls", at -> tls(at, to))
                .node("limits", at -> limits(at, to))
                .node(
                        "drain",
                        at -> new Keys("drain")
                                .text("notice", text -> to.drainNotice(ValueParser.time(text)))
                                .text("limit", text -> to.drainLimit(ValueParser.time(text)))
                                .read(at))
                .node(
                        "backends",
                        at -> entries(at, "backends", (name, value) -> {
                            backends.add(name);
                            backend(name, value, to);
                        }))
                .node("routes", at -> items(at, "routes", item -> route(item, to, uses)));
        keys.read(node);
        keys.need(node, "backends", "routes");
    }

    /** Reads the files of the TLS identity. */
    private void tls(Node node, Settings.Builder to) {
        Path[] files = new Path[2];
        Keys keys = new Keys("tls")
                .text("certificate", text -> files[0] = path(text))
                .text("key", text -> files[1] = path(text));
        keys.read(node);
        if (keys.need(node, "certificate", "key") && files[0] != null && files[1] != null) {
            to.tls(new Settings.Tls(files[0], files[1]));
        }
    }

    /** Resolves a path against the directory of the route file. */
    private Path path(String text) {
        try {
            Path directory = Path.of(file).toAbsolutePath().getParent();
            return directory == null ? Path.of(text) : directory.resolve(text);
        } catch (InvalidPathException e) {
            throw new IllegalArgumentException("'" + text + "' is no name of a file", e);
        }
    }

    /** Reads the limits of the server side. */
    private void limits(Node node, Settings.Builder to) {
        Limits.Builder limits = Limits.builder();
        new Keys("limits")
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
                .node("requests", at -> concurrency(at, "requests", limits::requests))
                .read(node);
        to.limits(limits.build());
    }

    /** Reads a fixed limit, which is one number, or the three numbers of a learned limit. */
    private void concurrency(Node node, String what, Consumer<Concurrency> to) {
        if (node instanceof ScalarNode scalar) {
            at(node, () -> to.accept(Concurrency.fixed(ValueParser.number(scalar.getValue()))));
            return;
        }
        int[] numbers = {0, 0, 0};
        Keys keys = new Keys(what)
                .text("min", text -> numbers[0] = ValueParser.number(text))
                .text("initial", text -> numbers[1] = ValueParser.number(text))
                .text("max", text -> numbers[2] = ValueParser.number(text));
        keys.read(node);
        if (keys.need(node, "min", "initial", "max")) {
            at(node, () -> to.accept(Concurrency.adaptive(numbers[0], numbers[1], numbers[2])));
        }
    }

    /** Reads a backend. The builder needs the url, so the other options are applied after all keys have been read. */
    private void backend(String name, Node node, Settings.Builder to) {
        String[] url = {""};
        Node[] urlAt = {node};
        List<Consumer<BackendConfig.Builder>> settings = new ArrayList<>();
        Keys keys = new Keys("backend " + name)
                .node("url", at -> {
                    urlAt[0] = at;
                    url[0] = Objects.requireNonNullElse(scalar(at, "url"), "");
                })
                .setting("limit", settings, (b, text) -> b.limit(ValueParser.time(text)))
                .setting("connect-time", settings, (b, text) -> b.connectTime(ValueParser.time(text)))
                .setting("connections", settings, (b, text) -> b.connections(ValueParser.number(text)))
                .setting("waiting", settings, (b, text) -> b.waiting(ValueParser.number(text)))
                .setting("idle", settings, (b, text) -> b.idle(ValueParser.time(text)))
                .setting("retry", settings, (b, text) -> b.retry(ValueParser.number(text)))
                .setting("hedge", settings, YamlReader::hedge)
                .setting("repeat", settings, YamlReader::repeat)
                .node("bulkhead", at -> bulkhead(at, settings))
                .node("breaker", at -> breaker(at, settings));
        keys.read(node);
        if (!keys.need(node, "url") || url[0].isEmpty()) {
            return;
        }
        at(urlAt[0], () -> {
            BackendConfig.Builder builder = BackendConfig.builder(name, url[0]);
            settings.forEach(setting -> setting.accept(builder));
            to.backend(builder.build());
        });
    }

    /** Sets a percentile if the text has a per cent sign, otherwise a time. */
    private static void hedge(BackendConfig.Builder builder, String text) {
        if (text.endsWith("%")) {
            builder.hedgeAtPercentile(ValueParser.share(text));
        } else {
            builder.hedgeAfter(ValueParser.time(text));
        }
    }

    /** Sets which calls may be made a second time. */
    private static void repeat(BackendConfig.Builder builder, String text) {
        builder.repeat(
                switch (text) {
                    case "idempotent" -> BackendConfig.Repeat.IDEMPOTENT;
                    case "always" -> BackendConfig.Repeat.ALWAYS;
                    case "never" -> BackendConfig.Repeat.NEVER;
                    default ->
                        throw new IllegalArgumentException("'" + text + "' is none of idempotent, always, never");
                });
    }

    /** Reads the two numbers of a bulkhead. */
    private void bulkhead(Node node, List<Consumer<BackendConfig.Builder>> settings) {
        Concurrency[] most = new Concurrency[1];
        int[] waiting = {0};
        Keys keys = new Keys("bulkhead")
                .node("concurrent", at -> concurrency(at, "concurrent", value -> most[0] = value))
                .text(
                        "waiting",
                        text -> waiting[0] =
                                (int) ArgumentChecks.within("waiting", ValueParser.number(text), 0, 1_000_000));
        keys.read(node);
        if (keys.need(node, "concurrent") && most[0] != null) {
            settings.add(builder -> builder.bulkhead(most[0], waiting[0]));
        }
    }

    /** Reads {@code on} or {@code off}, or the options of a breaker. */
    private void breaker(Node node, List<Consumer<BackendConfig.Builder>> settings) {
        BreakerConfig d = BreakerConfig.DEFAULT;
        if (node instanceof ScalarNode scalar) {
            at(node, () -> {
                if (ValueParser.flag(scalar.getValue())) {
                    settings.add(builder -> builder.breaker(d));
                }
            });
            return;
        }
        int[] numbers = {d.window(), d.minimum(), d.trials()};
        double[] failures = {d.failures()};
        Duration[] open = {d.open()};
        BreakerConfig.Engine[] engine = {d.engine()};
        new Keys("breaker")
                .text("window", text -> numbers[0] = ValueParser.number(text))
                .text("minimum", text -> numbers[1] = ValueParser.number(text))
                .text("trials", text -> numbers[2] = ValueParser.number(text))
                .text("failures", text -> failures[0] = ValueParser.share(text))
                .text("open", text -> open[0] = ValueParser.time(text))
                .text("by", text -> engine[0] = engine(text))
                .read(node);
        at(node, () -> {
            BreakerConfig config =
                    new BreakerConfig(numbers[0], numbers[1], failures[0], open[0], numbers[2], engine[0]);
            settings.add(builder -> builder.breaker(config));
        });
    }

    /** Returns the engine with the given name. */
    private static BreakerConfig.Engine engine(String text) {
        BreakerConfig.Engine engine = switch (text) {
            case "spindle" -> BreakerConfig.Engine.SPINDLE;
            case "resilience4j" -> BreakerConfig.Engine.RESILIENCE4J;
            default -> throw new IllegalArgumentException("'" + text + "' is neither spindle nor resilience4j");
        };
        engine.requireLibrary(); // checked here, so that a mistake has the position of this option
        return engine;
    }

    /**
     * Reads a route. The builder needs path and kind, so the other options are applied after all keys have been read.
     */
    private void route(Node node, Settings.Builder to, List<RouteUse> uses) {
        String[] path = {""};
        Node[] pathAt = {node};
        List<RouteConfig.Kind> kinds = new ArrayList<>();
        List<Node> names = new ArrayList<>();
        List<Consumer<RouteConfig.Builder>> settings = new ArrayList<>();
        Keys keys = new Keys("a route")
                .node("path", at -> {
                    pathAt[0] = at;
                    path[0] = Objects.requireNonNullElse(scalar(at, "path"), "");
                })
                .node("proxy", at -> {
                    kinds.add(RouteConfig.Kind.PROXY);
                    names.add(at);
                })
                .node("multicast", at -> {
                    kinds.add(RouteConfig.Kind.MULTICAST);
                    items(at, "multicast", names::add);
                })
                .node("pipeline", at -> {
                    kinds.add(RouteConfig.Kind.PIPELINE);
                    items(at, "pipeline", names::add);
                })
                .routeSetting("limit", settings, (b, text) -> b.limit(ValueParser.time(text)))
                .routeSetting("need", settings, (b, text) -> b.need(need(text)))
                .routeSetting("strip", settings, RouteConfig.Builder::strip)
                .routeSetting("body", settings, (b, text) -> b.body(ValueParser.size(text)))
                .node("order", at -> order(at, settings));
        keys.read(node);
        if (!keys.need(node, "path") || path[0].isEmpty()) {
            return;
        }
        if (kinds.size() != 1) {
            mistake(node, "a route has exactly one of proxy, multicast and pipeline; this one has " + kinds.size());
            return;
        }
        List<String> backends = new ArrayList<>();
        for (Node at : names) {
            String name = scalar(at, "the name of a backend");
            if (name != null) {
                backends.add(name);
                uses.add(new RouteUse(name, at));
            }
        }
        if (backends.isEmpty()) {
            return;
        }
        at(pathAt[0], () -> {
            RouteConfig.Builder builder = RouteConfig.of(kinds.get(0), path[0], backends);
            settings.forEach(setting -> setting.accept(builder));
            to.route(builder.build());
        });
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
            at(node, () -> {
                RequestOrder order = switch (scalar.getValue()) {
                    case "none" -> RequestOrder.none();
                    case "connection" -> RequestOrder.byConnection();
                    default ->
                        throw new IllegalArgumentException("'" + scalar.getValue()
                                + "' is no order; write none, connection, {header: NAME} or {segment: NUMBER}");
                };
                settings.add(builder -> builder.order(order));
            });
            return;
        }
        new Keys("order")
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

    /** Adds a mistake if a route names a backend that is not in the file. */
    private void check(RouteUse use, List<String> backends) {
        if (!backends.contains(use.name)) {
            mistake(use.at, "there is no backend named '" + use.name + "'" + Suggestion.of(use.name, backends));
        }
    }

    /** A use of a backend's name in a route. */
    private record RouteUse(String name, Node at) {}

    // ---------------------------------------------------------------- nodes

    /** Runs an action. An IllegalArgumentException of the action becomes a mistake at the position of the node. */
    private void at(Node node, Runnable action) {
        try {
            action.run();
        } catch (IllegalArgumentException e) {
            mistake(node, String.valueOf(e.getMessage()));
        }
    }

    /** Adds a mistake at the position of a node. */
    private void mistake(Node node, String message) {
        Optional<Mark> mark = node.getStartMark();
        mistakes.add(new Mistake(
                mark.map(Mark::getLine).orElse(0) + 1, mark.map(Mark::getColumn).orElse(0) + 1, message));
    }

    /** Returns a single value; null after reporting a mistake. */
    private @Nullable String scalar(Node node, String what) {
        if (node instanceof ScalarNode scalar) {
            return scalar.getValue();
        }
        mistake(node, what + " must be a single value, is a " + kind(node));
        return null;
    }

    /** Calls {@code action} with each item of a list. A value that is not a list, or an empty list, is a mistake. */
    private void items(Node node, String what, Consumer<Node> action) {
        if (node instanceof SequenceNode sequence) {
            if (sequence.getValue().isEmpty()) {
                mistake(node, what + " is empty");
            }
            sequence.getValue().forEach(action);
        } else {
            mistake(node, what + " must be a list, is a " + kind(node));
        }
    }

    /**
     * Calls {@code action} with each key of a group and its value. A node that is not a group, or a key that occurs
     * twice, is a mistake.
     */
    private void entries(Node node, String what, BiConsumer<String, Node> action) {
        if (!(node instanceof MappingNode mapping)) {
            mistake(node, what + " must have keys and values, is a " + kind(node));
            return;
        }
        Map<String, Node> seen = new LinkedHashMap<>();
        for (NodeTuple tuple : mapping.getValue()) {
            String key = scalar(tuple.getKeyNode(), "a key of " + what);
            if (key == null) {
                continue;
            }
            if (seen.putIfAbsent(key, tuple.getKeyNode()) != null) {
                mistake(tuple.getKeyNode(), "'" + key + "' is there twice in " + what);
            } else {
                action.accept(key, tuple.getValueNode());
            }
        }
    }

    /** Returns a description of the kind of a node. */
    private static String kind(Node node) {
        if (node instanceof MappingNode) {
            return "group of keys and values";
        }
        return node instanceof SequenceNode ? "list" : "single value";
    }

    /** The keys of one group in the file, and the actions on their values. */
    private final class Keys {
        private final String what;
        private final Map<String, Consumer<Node>> known = new LinkedHashMap<>();
        private final List<String> seen = new ArrayList<>();

        Keys(String what) {
            this.what = what;
        }

        /** Adds a key whose value may be of any kind. */
        Keys node(String key, Consumer<Node> action) {
            known.put(key, action);
            return this;
        }

        /** Adds a key with a single value. */
        Keys text(String key, Consumer<String> action) {
            return node(key, at -> {
                String text = scalar(at, key);
                if (text != null) {
                    at(at, () -> action.accept(text));
                }
            });
        }

        /** Adds an option of a backend. */
        Keys setting(
                String key,
                List<Consumer<BackendConfig.Builder>> settings,
                BiConsumer<BackendConfig.Builder, String> set) {
            return later(key, settings, set, text -> BackendConfig.builder("probe", "http://localhost"));
        }

        /**
         * Adds an option of a route. The value is checked after all keys have been read, since the valid values depend
         * on the kind of route.
         */
        Keys routeSetting(
                String key, List<Consumer<RouteConfig.Builder>> settings, BiConsumer<RouteConfig.Builder, String> set) {
            return node(key, at -> {
                String text = scalar(at, key);
                if (text != null) {
                    settings.add(builder -> at(at, () -> set.accept(builder, text)));
                }
            });
        }

        /**
         * Adds an option. The value is first set on a temporary builder, so that a mistake has the position of the
         * option, and later on the real builder.
         */
        private <B> Keys later(
                String key, List<Consumer<B>> settings, BiConsumer<B, String> set, Function<String, B> probe) {
            return text(key, text -> {
                set.accept(probe.apply(text), text);
                settings.add(builder -> set.accept(builder, text));
            });
        }

        /** Reads a group. An unknown key is a mistake, whose message names the most similar known key. */
        void read(Node node) {
            entries(node, what, (key, value) -> {
                Consumer<Node> action = known.get(key);
                if (action != null) {
                    seen.add(key);
                    action.accept(value);
                } else {
                    mistake(
                            keyAt(node, key),
                            "unknown key '" + key + "' in " + what + Suggestion.of(key, known.keySet())
                                    + (Suggestion.of(key, known.keySet()).isEmpty()
                                            ? "; known are " + String.join(", ", known.keySet())
                                            : ""));
                }
            });
        }

        /** Adds a mistake for each missing key, and returns whether all keys are present. */
        boolean need(Node node, String... keys) {
            boolean all = true;
            for (String key : keys) {
                if (node instanceof MappingNode && !seen.contains(key)) {
                    mistake(node, what + " has no '" + key + "'");
                    all = false;
                }
            }
            return all && node instanceof MappingNode;
        }

        /** Returns the node of the key, whose position is reported for an unknown key. */
        private Node keyAt(Node node, String key) {
            for (NodeTuple tuple : ((MappingNode) node).getValue()) {
                if (tuple.getKeyNode() instanceof ScalarNode scalar
                        && scalar.getValue().equals(key)) {
                    return tuple.getKeyNode();
                }
            }
            return node;
        }
    }
}
