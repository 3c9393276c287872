// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway.config;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.ScalarNode;

/** A reader of the backends of a route file. Used by one thread. */
final class BackendReader {
    private final YamlNodes nodes;

    BackendReader(YamlNodes nodes) {
        this.nodes = nodes;
    }

    /** Reads a fixed limit, which is one number, or the three numbers of a learned limit. */
    void concurrency(Node node, String what, Consumer<Concurrency> to) {
        if (node instanceof ScalarNode scalar) {
            nodes.at(node, () -> to.accept(Concurrency.fixed(ValueParser.number(scalar.getValue()))));
            return;
        }
        int[] numbers = {0, 0, 0};
        YamlNodes.Keys keys = nodes.keys(what)
                .text("min", text -> numbers[0] = ValueParser.number(text))
                .text("initial", text -> numbers[1] = ValueParser.number(text))
                .text("max", text -> numbers[2] = ValueParser.number(text));
        keys.read(node);
        if (keys.need(node, "min", "initial", "max")) {
            nodes.at(node, () -> to.accept(Concurrency.adaptive(numbers[0], numbers[1], numbers[2])));
        }
    }

    /** Reads a backend. The builder needs the url, so the other options are applied after all keys have been read. */
    void read(String name, Node node, Settings.Builder to) {
        String[] url = {""};
        Node[] urlAt = {node};
        List<Consumer<BackendConfig.Builder>> settings = new ArrayList<>();
        Node[] ofTls = new Node[1];
        Map<String, Node> ofInstances = new LinkedHashMap<>();
        YamlNodes.Keys keys = nodes.keys("backend " + name)
                .node("url", at -> {
                    urlAt[0] = at;
                    url[0] = Objects.requireNonNullElse(nodes.scalar(at, "url"), "");
                })
                .setting("limit", settings, (b, text) -> b.limit(ValueParser.time(text)))
                .setting("connect-time", settings, (b, text) -> b.connectTime(ValueParser.time(text)))
                .setting("connections", settings, (b, text) -> b.connections(ValueParser.number(text)))
                .setting("waiting", settings, (b, text) -> b.waiting(ValueParser.number(text)))
                .setting("idle", settings, (b, text) -> b.idle(ValueParser.time(text)))
                .setting("retry", settings, (b, text) -> b.retry(ValueParser.number(text)))
                .setting("hedge", settings, BackendReader::hedge)
                .setting("repeat", settings, BackendReader::repeat)
                .setting("host", settings, BackendConfig.Builder::host)
                .node("tls", at -> {
                    ofTls[0] = at;
                    tls(at, settings);
                })
                .node("bulkhead", at -> bulkhead(at, settings))
                .node("breaker", at -> breaker(at, settings))
                .node("instances", at -> instances(at, settings, ofInstances))
                .node("resolve", at -> {
                    ofInstances.put("resolve", at);
                    String text = nodes.scalar(at, "resolve");
                    if (text != null) {
                        settings.add(builder -> nodes.at(at, () -> builder.resolve(ValueParser.time(text))));
                    }
                })
                .node("check", at -> {
                    ofInstances.put("check", at);
                    check(at, settings);
                })
                .node("eject", at -> {
                    ofInstances.put("eject", at);
                    eject(at, settings);
                });
        keys.read(node);
        if (!keys.need(node, "url") || url[0].isEmpty() || !areTogether(name, ofInstances)) {
            return;
        }
        if (ofTls[0] != null && !url[0].startsWith("https:")) {
            nodes.mistake(ofTls[0], "tls needs a url that begins with https://, is " + url[0]);
            return;
        }
        nodes.at(urlAt[0], () -> {
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
        YamlNodes.Keys keys = nodes.keys("bulkhead")
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
            nodes.at(node, () -> {
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
        nodes.keys("breaker")
                .text("window", text -> numbers[0] = ValueParser.number(text))
                .text("minimum", text -> numbers[1] = ValueParser.number(text))
                .text("trials", text -> numbers[2] = ValueParser.number(text))
                .text("failures", text -> failures[0] = ValueParser.share(text))
                .text("open", text -> open[0] = ValueParser.time(text))
                .text("by", text -> engine[0] = engine(text))
                .read(node);
        nodes.at(node, () -> {
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

    /** Returns whether the keys that concern instances fit each other, after reporting the keys that do not. */
    private boolean areTogether(String name, Map<String, Node> keys) {
        Node resolve = keys.get("resolve");
        boolean listed = keys.containsKey("instances");
        if (listed && resolve != null) {
            nodes.mistake(resolve, "backend " + name + " has instances and resolve; keep one of the two");
            return false;
        }
        for (String key : List.of("check", "eject")) {
            Node at = keys.get(key);
            if (at != null && !listed && resolve == null) {
                nodes.mistake(
                        at,
                        key + " needs several instances; add for example instances: [127.0.0.1:9001,"
                                + " 127.0.0.1:9002], or resolve: 5s for all addresses of the url's host");
                return false;
            }
        }
        return true;
    }

    /** Reads the addresses of the instances. */
    private void instances(Node node, List<Consumer<BackendConfig.Builder>> settings, Map<String, Node> seen) {
        seen.put("instances", node);
        List<Address> all = new ArrayList<>();
        nodes.items(node, "instances", item -> {
            String text = nodes.scalar(item, "an instance");
            if (text != null) {
                nodes.at(item, () -> all.add(BackendConfig.instance(text, all)));
            }
        });
        if (!all.isEmpty()) {
            settings.add(builder -> builder.instances(all));
        }
    }

    /** Reads the files of TLS to a backend. */
    private void tls(Node node, List<Consumer<BackendConfig.Builder>> settings) {
        @Nullable Path[] files = new @Nullable Path[3];
        nodes.keys("tls")
                .text("ca", text -> files[0] = nodes.path(text))
                .text("certificate", text -> files[1] = nodes.path(text))
                .text("key", text -> files[2] = nodes.path(text))
                .read(node);
        nodes.at(node, () -> {
            BackendTls tls = new BackendTls(files[0], files[1], files[2]);
            tls.check();
            settings.add(builder -> builder.tls(tls));
        });
    }

    /** Reads the path of a health check, or all options of a health check. */
    private void check(Node node, List<Consumer<BackendConfig.Builder>> settings) {
        CheckConfig d = CheckConfig.DEFAULT;
        String[] path = {""};
        Duration[] times = {d.every(), d.limit()};
        int[] numbers = {d.fall(), d.rise()};
        if (node instanceof ScalarNode scalar) {
            path[0] = scalar.getValue();
        } else {
            YamlNodes.Keys keys = nodes.keys("check")
                    .text("path", text -> path[0] = text)
                    .text("every", text -> times[0] = ValueParser.time(text))
                    .text("limit", text -> times[1] = ValueParser.time(text))
                    .text("fall", text -> numbers[0] = ValueParser.number(text))
                    .text("rise", text -> numbers[1] = ValueParser.number(text));
            keys.read(node);
            if (!keys.need(node, "path")) {
                return;
            }
        }
        nodes.at(node, () -> {
            CheckConfig config = new CheckConfig(path[0], times[0], times[1], numbers[0], numbers[1]);
            settings.add(builder -> builder.check(config));
        });
    }

    /** Reads {@code on} or {@code off}, or the options of the ejection of instances. */
    private void eject(Node node, List<Consumer<BackendConfig.Builder>> settings) {
        EjectConfig d = EjectConfig.DEFAULT;
        if (node instanceof ScalarNode scalar) {
            nodes.at(node, () -> {
                boolean on = ValueParser.flag(scalar.getValue());
                settings.add(builder -> builder.eject(on ? d : null));
            });
            return;
        }
        int[] failures = {d.failures()};
        Duration[] time = {d.time()};
        nodes.keys("eject")
                .text("failures", text -> failures[0] = ValueParser.number(text))
                .text("for", text -> time[0] = ValueParser.time(text))
                .read(node);
        nodes.at(node, () -> {
            EjectConfig config = new EjectConfig(failures[0], time[0]);
            settings.add(builder -> builder.eject(config));
        });
    }
}
