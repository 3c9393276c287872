// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway.config;

import dev.spindle.gateway.config.MistakesException.Mistake;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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
 * The nodes of one route file, and the mistakes that were found in them. Used by one thread.
 *
 * <p>Nodes have their positions in the file. After a mistake reading continues, so that all mistakes of a file are
 * reported at once. The builders check the values: an IllegalArgumentException of a builder becomes a mistake at the
 * position of the value.
 */
final class YamlNodes {
    /** The maximum number of characters of a file that is parsed. Not measured. */
    private static final int LARGEST = 4 << 20;

    /** The name of the file, in messages. */
    private final String file;

    private final List<Mistake> mistakes = new ArrayList<>();

    YamlNodes(String file) {
        this.file = file;
    }

    /** Returns whether no mistake was found. */
    boolean areRight() {
        return mistakes.isEmpty();
    }

    /** Adds a mistake of the file as a whole. */
    void mistake(String message) {
        mistakes.add(new Mistake(1, 1, message));
    }

    /** Returns an exception with all mistakes, in the order of their positions. */
    MistakesException failure() {
        mistakes.sort(Comparator.comparingInt(Mistake::line).thenComparingInt(Mistake::column));
        return new MistakesException(file, mistakes);
    }

    /** Resolves a path against the directory of the route file. */
    Path path(String text) {
        try {
            Path directory = Path.of(file).toAbsolutePath().getParent();
            return directory == null ? Path.of(text) : directory.resolve(text);
        } catch (InvalidPathException e) {
            throw new IllegalArgumentException("'" + text + "' is no name of a file", e);
        }
    }

    /** Returns the keys of a group; the caller adds its known keys. */
    Keys keys(String what) {
        return new Keys(what);
    }

    /** Returns the root node of the text, or null after a mistake. */
    @Nullable
    Node compose(String text) {
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

    /** Runs an action. An IllegalArgumentException of the action becomes a mistake at the position of the node. */
    void at(Node node, Runnable action) {
        try {
            action.run();
        } catch (IllegalArgumentException e) {
            mistake(node, String.valueOf(e.getMessage()));
        }
    }

    /** Adds a mistake at the position of a node. */
    void mistake(Node node, String message) {
        Optional<Mark> mark = node.getStartMark();
        mistakes.add(new Mistake(
                mark.map(Mark::getLine).orElse(0) + 1, mark.map(Mark::getColumn).orElse(0) + 1, message));
    }

    /** Returns a single value; null after reporting a mistake. */
    @Nullable
    String scalar(Node node, String what) {
        if (node instanceof ScalarNode scalar) {
            return scalar.getValue();
        }
        mistake(node, what + " must be a single value, is a " + kind(node));
        return null;
    }

    /** Calls {@code action} with each item of a list. A value that is not a list, or an empty list, is a mistake. */
    void items(Node node, String what, Consumer<Node> action) {
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
    void entries(Node node, String what, BiConsumer<String, Node> action) {
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
    final class Keys {
        private final String what;
        private final Map<String, Consumer<Node>> known = new LinkedHashMap<>();
        private final List<String> seen = new ArrayList<>();

        private Keys(String what) {
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
