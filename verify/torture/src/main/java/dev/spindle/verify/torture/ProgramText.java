// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.torture;

import dev.spindle.verify.torture.Op.Where;
import dev.spindle.verify.torture.Program.After;
import dev.spindle.verify.torture.Program.How;
import dev.spindle.verify.torture.Program.Policy;
import dev.spindle.verify.torture.Program.Pool;
import dev.spindle.verify.torture.Program.Producer;
import dev.spindle.verify.torture.Program.Stop;
import dev.spindle.verify.torture.Program.View;
import dev.spindle.verify.torture.Step.Does;
import dev.spindle.verify.torture.Step.Then;
import dev.spindle.verify.torture.tools.Threads;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The text of a program, with one line per step. An inner step is indented by two more spaces. A missing field has its
 * default value: {@code does=NOTHING nanos=0 then=NOTHING every=1} for a step, {@code threads=SOUND} for the pool, and
 * {@code after=NOTHING} for a stop. Lines that begin with {@code #} are comments.
 *
 * <pre>
 * program seed=4711
 * pool core=2 max=4 keepAlive=100 linger=10 capacity=0 capacityPerKey=0 onFull=REJECT keys=1 strands=0 own=0 exact=true
 * producer rounds=1000
 *   LANE at=0
 *   PAUSE at=0 every=8
 *     LANE at=0 does=SPIN nanos=2000
 * stop where=POOL at=0 how=CLOSE percent=100
 * </pre>
 */
final class ProgramText {
    private static final String INDENT = "  ";

    private ProgramText() {}

    // ---------------------------------------------------------------- writing

    /** Returns a text that {@link #read} accepts. */
    static String write(Program program) {
        StringBuilder text = new StringBuilder();
        text.append("program seed=").append(program.seed()).append('\n');
        Pool pool = program.pool();
        Map<String, String> fields = new LinkedHashMap<>();
        fields.put("core", number(pool.core()));
        fields.put("max", number(pool.max()));
        fields.put("keepAlive", number(pool.keepAlive()));
        fields.put("linger", number(pool.linger()));
        fields.put("capacity", number(pool.capacity()));
        fields.put("capacityPerKey", number(pool.capacityPerKey()));
        fields.put("onFull", pool.onFull().name());
        fields.put("keys", number(pool.keys()));
        fields.put("strands", number(pool.strands()));
        fields.put("own", number(pool.own()));
        fields.put("exact", Boolean.toString(pool.exact()));
        if (pool.threads() != Threads.Kind.SOUND) {
            fields.put("threads", pool.threads().name());
        }
        line(text, "", "pool", fields);
        for (View view : pool.views()) {
            Map<String, String> of = new LinkedHashMap<>();
            of.put("concurrency", number(view.concurrency()));
            of.put("capacity", number(view.capacity()));
            of.put("onFull", view.onFull().name());
            line(text, "", "view", of);
        }
        for (Producer producer : program.producers()) {
            text.append("producer rounds=").append(producer.rounds()).append('\n');
            write(producer.steps(), INDENT, text);
        }
        for (Stop stop : program.stops()) {
            Map<String, String> of = new LinkedHashMap<>();
            of.put("where", stop.where().name());
            of.put("at", number(stop.at()));
            of.put("how", stop.how().name());
            of.put("percent", number(stop.percent()));
            if (stop.after() != After.NOTHING) {
                of.put("after", stop.after().name());
            }
            line(text, "", "stop", of);
        }
        return text.toString();
    }

    private static void write(List<Step> steps, String indent, StringBuilder text) {
        for (Step step : steps) {
            Map<String, String> fields = new LinkedHashMap<>();
            if (step.op().where() != Where.POOL) {
                fields.put("at", number(step.at()));
            }
            if (step.does() != Does.NOTHING) {
                fields.put("does", step.does().name());
            }
            if (step.nanos() > 0) {
                fields.put("nanos", number(step.nanos()));
            }
            if (step.then() != Then.NOTHING) {
                fields.put("then", step.then().name());
            }
            if (step.every() > 1) {
                fields.put("every", number(step.every()));
            }
            line(text, indent, step.op().name(), fields);
            write(step.inner(), indent + INDENT, text);
        }
    }

    private static void line(StringBuilder text, String indent, String head, Map<String, String> fields) {
        text.append(indent).append(head);
        if (!fields.isEmpty()) {
            text.append(' ').append(Fields.encode(fields));
        }
        text.append('\n');
    }

    private static String number(int value) {
        return Integer.toString(value);
    }

    // ---------------------------------------------------------------- reading

    /**
     * Returns the program that the text describes.
     *
     * @throws IllegalArgumentException if the text is invalid
     */
    static Program read(String text) {
        return new Reader(text).program();
    }

    /** A line: its number starting at 1, its indentation, its first word and its fields. */
    private record Line(int number, int indent, String head, Map<String, String> fields) {
        static Line of(int number, String text) {
            String body = text.stripLeading();
            int blank = body.indexOf(' ');
            return new Line(
                    number,
                    text.length() - body.length(),
                    blank < 0 ? body : body.substring(0, blank),
                    blank < 0 ? Map.of() : Fields.decode(body.substring(blank)));
        }

        IllegalArgumentException wrong(String what) {
            return new IllegalArgumentException(String.format(Locale.ROOT, "line %d: %s", number, what));
        }

        String text(String name) {
            String value = fields.get(name);
            if (value == null) {
                throw wrong(head + " wants " + name + "=...");
            }
            return value;
        }

        int number(String name) {
            return small(name, text(name));
        }

        int number(String name, int otherwise) {
            String value = fields.get(name);
            return value == null ? otherwise : small(name, value);
        }

        private int small(String name, String value) {
            long number = wide(name, value);
            if (number < 0 || number > Integer.MAX_VALUE) {
                throw wrong(name + "=" + value + " is out of range: 0 to " + Integer.MAX_VALUE);
            }
            return (int) number;
        }

        private long wide(String name, String value) {
            try {
                return Long.parseLong(value);
            } catch (NumberFormatException e) {
                throw wrong(name + "=" + value + " is not an integer");
            }
        }

        long seed() {
            return wide("seed", text("seed"));
        }

        <E extends Enum<E>> E one(Class<E> type, String value) {
            try {
                return Enum.valueOf(type, value);
            } catch (IllegalArgumentException e) {
                throw wrong("'" + value + "' is none of " + EnumSet.allOf(type));
            }
        }
    }

    private static final class Reader {
        private final List<Line> lines = new ArrayList<>();
        private int next;

        Reader(String text) {
            int number = 0;
            for (String line : text.lines().toList()) {
                number++;
                if (!line.isBlank() && !line.stripLeading().startsWith("#")) {
                    lines.add(Line.of(number, line.stripTrailing()));
                }
            }
        }

        Program program() {
            long seed = expect("program").seed();
            Line pool = expect("pool");
            List<View> views = new ArrayList<>();
            while (at("view")) {
                Line line = lines.get(next++);
                views.add(new View(
                        line.number("concurrency"),
                        line.number("capacity"),
                        line.one(Policy.class, line.text("onFull"))));
            }
            List<Producer> producers = new ArrayList<>();
            while (at("producer")) {
                Line line = lines.get(next++);
                producers.add(new Producer(line.number("rounds"), steps(line.indent())));
            }
            List<Stop> stops = new ArrayList<>();
            while (at("stop")) {
                Line line = lines.get(next++);
                stops.add(new Stop(
                        line.one(Where.class, line.text("where")),
                        line.number("at"),
                        line.one(How.class, line.text("how")),
                        line.number("percent"),
                        line.one(After.class, line.fields().getOrDefault("after", "NOTHING"))));
            }
            if (next < lines.size()) {
                throw lines.get(next).wrong("'" + lines.get(next).head() + "' was not expected here");
            }
            return new Program(seed, pool(pool, views), producers, stops);
        }

        private static Pool pool(Line line, List<View> views) {
            return new Pool(
                    line.number("core"),
                    line.number("max"),
                    line.number("keepAlive"),
                    line.number("linger"),
                    line.number("capacity"),
                    line.number("capacityPerKey"),
                    line.one(Policy.class, line.text("onFull")),
                    line.number("keys"),
                    line.number("strands"),
                    line.number("own"),
                    views,
                    Boolean.parseBoolean(line.text("exact")),
                    line.one(Threads.Kind.class, line.fields().getOrDefault("threads", "SOUND")));
        }

        private boolean at(String head) {
            return next < lines.size() && lines.get(next).head().equals(head);
        }

        private Line expect(String head) {
            if (!at(head)) {
                String found = next < lines.size() ? "'" + lines.get(next).head() + "'" : "the end";
                throw new IllegalArgumentException("a line that begins with '" + head + "' was expected, not " + found);
            }
            return lines.get(next++);
        }

        /** Returns the steps that are indented by more than {@code outer}, with their inner steps. */
        private List<Step> steps(int outer) {
            List<Step> steps = new ArrayList<>();
            while (next < lines.size() && lines.get(next).indent() > outer) {
                Line line = lines.get(next++);
                List<Step> inner = steps(line.indent());
                try {
                    steps.add(new Step(
                            line.one(Op.class, line.head()),
                            line.number("at", 0),
                            line.one(Does.class, line.fields().getOrDefault("does", "NOTHING")),
                            line.number("nanos", 0),
                            line.one(Then.class, line.fields().getOrDefault("then", "NOTHING")),
                            line.number("every", 1),
                            inner));
                } catch (IllegalArgumentException e) {
                    throw String.valueOf(e.getMessage()).startsWith("line ")
                            ? e
                            : line.wrong(String.valueOf(e.getMessage()));
                }
            }
            return steps;
        }
    }
}
