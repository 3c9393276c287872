// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.kafka;

import dev.spindle.Spindle;
import dev.spindle.kafka.testkit.CallJournal;
import dev.spindle.kafka.testkit.CheckingInterceptor;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * The main class of a process with consumers. It takes commands from the standard input, {@code open NAME} and
 * {@code close NAME}, and prints lines: {@code opened NAME}, {@code closed NAME REPORT}, {@code died NAME CAUSE}. It
 * ends when the input does.
 */
final class ConsumerMain {
    /** The property with the topic. */
    static final String TOPIC = "storm.topic";
    /** The property with the longest time of a call in microseconds. */
    static final String LONGEST_CALL = "storm.call.micros";
    /** The property with the kind of consumers, a {@link Member.Kind}. */
    static final String KIND = "storm.kind";
    /** The property that gives members their names in the group. */
    static final String NAMED = "storm.named";

    private final Map<String, Object> settings = new HashMap<>();
    private final Map<String, Member> members = new ConcurrentHashMap<>();
    private final CallJournal journal;
    private final Spindle spindle = Spindle.builder().maxThreads(32).build();
    private final long longestCall;

    private ConsumerMain(Properties properties) {
        properties.forEach((name, value) -> settings.put(name.toString(), value));
        longestCall = Long.parseLong(setting(LONGEST_CALL));
        journal = CallJournal.open(Path.of(setting(CheckingInterceptor.JOURNAL)));
        settings.put("interceptor.classes", CheckingInterceptor.class.getName());
    }

    private String setting(String name) {
        return Objects.requireNonNull(settings.get(name), name).toString();
    }

    /** Runs until the standard input ends. The argument is a file with the properties of the consumers. */
    public static void main(String[] arguments) throws IOException {
        Properties properties = new Properties();
        try (var reader = Files.newBufferedReader(Path.of(arguments[0]))) {
            properties.load(reader);
        }
        ConsumerMain process = new ConsumerMain(properties);
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            String[] words = line.split(" ", -1);
            // A close takes long, and other commands come meanwhile.
            new Thread(() -> process.run(words[0], words[1]), line).start();
        }
        Runtime.getRuntime().halt(0);
    }

    private void run(String command, String name) {
        try {
            switch (command) {
                case "open" -> open(name);
                case "close" ->
                    say("closed " + name + " "
                            + Objects.requireNonNull(members.get(name), name).end());
                default -> throw new IllegalArgumentException("no command " + command);
            }
        } catch (RuntimeException e) {
            say("died " + name + " " + e);
        }
    }

    private void open(String name) {
        Map<String, Object> own = new HashMap<>(settings);
        if (settings.containsKey(NAMED)) {
            own.put("group.instance.id", name);
        }
        own.put("client.id", name);
        Member member = Member.Kind.valueOf(setting(KIND))
                .open(spindle, own, setting(TOPIC), this::handle, cause -> say("died " + name + " " + cause));
        members.put(name, member);
        say("opened " + name);
    }

    private void handle(String topic, int partition, long offset, String key) {
        CallJournal.Call call = journal.begin(topic, partition, offset, key);
        long micros = ThreadLocalRandom.current().nextLong(longestCall + 1);
        if (micros > 0) {
            long end = System.nanoTime() + TimeUnit.MICROSECONDS.toNanos(micros);
            for (long left = end - System.nanoTime(); left > 0; left = end - System.nanoTime()) {
                LockSupport.parkNanos(left);
            }
        }
        call.done();
    }

    private static synchronized void say(String line) {
        System.out.println(line.replace('\n', ' '));
        System.out.flush();
    }
}
