// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.kafka;

import dev.spindle.kafka.testkit.JournalCheck;
import dev.spindle.kafka.testkit.JournalReport;
import dev.spindle.kafka.testkit.JournalReport.Repeat;
import dev.spindle.kafka.testkit.KafkaBroker;
import dev.spindle.kafka.testkit.KafkaExtension;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * A group of consumers in several processes, a load of records, and changes of the group while the records flow. A seed
 * draws the changes; when they happen is not in its power.
 */
final class Storm implements AutoCloseable {
    private static final int PARTITIONS = 8;
    private static final int KEYS = 200;
    private static final int PER_SECOND = 1_000;
    private static final int MOST_MEMBERS = 6;
    /** The longest pause between two changes, in records of the load. */
    private static final int LONGEST_PAUSE = 500;

    private static final int DRAIN_SECONDS = 300;

    private final KafkaBroker broker;
    private final Path directory;
    private final Assignment assignment;
    private final Random random;
    private final String topic = KafkaExtension.uniqueName("storm");
    private final String group = topic + "-group";
    private final Map<String, Object> properties = new HashMap<>();
    private final List<ConsumerProcess> processes = new ArrayList<>();
    private final List<ConsumerProcess> all = new ArrayList<>();
    /** The processes in which members close, by their names. */
    private final Map<String, ConsumerProcess> closing = new LinkedHashMap<>();

    private final Map<Path, Long> kills = new TreeMap<>();
    private final Map<Path, Long> freezes = new TreeMap<>();
    private @Nullable Load load;
    private int names;

    Storm(KafkaBroker broker, Path directory, Assignment assignment, Member.Kind kind, long seed) {
        this.broker = broker;
        this.directory = directory;
        this.assignment = assignment;
        random = new Random(seed);
        properties.putAll(broker.consumerProperties(group));
        properties.putAll(assignment.properties());
        properties.put("enable.auto.commit", "false");
        properties.put("key.deserializer", "org.apache.kafka.common.serialization.StringDeserializer");
        properties.put("value.deserializer", "org.apache.kafka.common.serialization.StringDeserializer");
        properties.put("max.poll.interval.ms", 30_000);
        properties.put("metadata.max.age.ms", 500);
        if (!assignment.sessionsOfTheBroker()) {
            properties.put("session.timeout.ms", Member.SESSION_MILLIS);
            properties.put("heartbeat.interval.ms", 300);
        }
        if (assignment.named()) {
            properties.put(ConsumerMain.NAMED, true);
        }
        properties.put(ConsumerMain.TOPIC, topic);
        properties.put(ConsumerMain.KIND, kind);
        properties.put(ConsumerMain.LONGEST_CALL, 2_000);
    }

    /** Returns a directory for the journals and logs of a run, which stay after it. */
    static Path newDirectory() throws IOException {
        Path all = Files.createDirectories(Path.of("target", "storms").toAbsolutePath());
        return Files.createTempDirectory(all, "run-");
    }

    /** Prints a report, with the repeats by the processes between which the records moved. */
    void print(String what, JournalReport report) {
        System.out.println(assignment + ", " + what + ", " + directory.getFileName() + ": " + report);
        Map<String, List<Repeat>> moves = report.repeats().stream()
                .collect(Collectors.groupingBy(
                        repeat -> repeat.doneIn().getFileName() + " to "
                                + repeat.repeatedIn().getFileName() + ", partition " + repeat.partition(),
                        TreeMap::new,
                        Collectors.toList()));
        moves.forEach((move, repeats) -> {
            LongSummaryStatistics millis = repeats.stream()
                    .mapToLong(repeat -> TimeUnit.NANOSECONDS.toMillis(repeat.repeatedAt() - repeat.doneAt()))
                    .summaryStatistics();
            System.out.println("  " + repeats.size() + " repeated, " + move + ", from offset "
                    + repeats.get(0).offset() + " on, " + millis.getMin() + " to " + millis.getMax()
                    + " ms after they were done");
        });
    }

    /** Creates the topic and starts the load. */
    void startLoad() {
        broker.createTopic(topic, PARTITIONS);
        load = Load.start(broker, directory.resolve("load" + JournalCheck.SUFFIX), topic, KEYS, PER_SECOND);
    }

    /** Starts processes with one member each. */
    void startProcesses(int count) throws InterruptedException {
        for (int i = 0; i < count; i++) {
            startProcess().open(newName());
        }
    }

    /** Starts the load, and processes with one member each. */
    void begin(int processes) throws InterruptedException {
        startLoad();
        startProcesses(processes);
        load().awaitFurther(LONGEST_PAUSE);
    }

    private ConsumerProcess startProcess() {
        ConsumerProcess started = ConsumerProcess.start(directory, "process-" + all.size(), properties);
        processes.add(started);
        all.add(started);
        return started;
    }

    /** Makes a change: a member joins, leaves, or leaves and comes back. */
    void change() throws InterruptedException {
        int members =
                processes.stream().mapToInt(process -> process.members().size()).sum();
        int drawn = random.nextInt(3);
        if (members <= 1 || (drawn == 0 && members < MOST_MEMBERS)) {
            any(processes).open(newName());
        } else {
            ConsumerProcess process = anyWithMembers();
            String member = any(new ArrayList<>(process.members()));
            process.close(member);
            closing.put(member, process);
            if (drawn == 1) {
                awaitClosed(member);
                any(processes).open(assignment.named() ? member : newName());
            }
        }
        load().awaitFurther(random.nextInt(LONGEST_PAUSE));
    }

    /** Kills a process and starts another. */
    void kill() throws InterruptedException {
        ConsumerProcess killed = anyWithMembers();
        String member = killed.members().first();
        kills.put(killed.journal(), killed.kill());
        processes.remove(killed);
        startProcess().open(assignment.named() ? member : newName());
        load().awaitFurther(LONGEST_PAUSE + random.nextInt(2 * LONGEST_PAUSE));
    }

    /** Freezes a process until its members have lost their partitions, and lets it go on. */
    void freeze(int recordsMeanwhile) throws Exception {
        ConsumerProcess frozen = anyWithMembers();
        freezes.put(frozen.journal(), frozen.freeze());
        load().awaitFurther(recordsMeanwhile);
        frozen.thaw();
        load().awaitFurther(LONGEST_PAUSE);
    }

    Load load() {
        return Objects.requireNonNull(load, "startLoad comes first");
    }

    String topic() {
        return topic;
    }

    private String newName() throws InterruptedException {
        if (!assignment.named()) {
            return "member-" + names++;
        }
        for (int i = 0; ; i++) { // the first that no member has
            String name = "member-" + i;
            if (processes.stream().noneMatch(process -> process.members().contains(name))) {
                awaitClosed(name);
                return name;
            }
        }
    }

    private void awaitClosed(String member) throws InterruptedException {
        ConsumerProcess process = closing.remove(member);
        if (process != null && processes.contains(process)) {
            process.awaitClosed(member);
        }
    }

    private ConsumerProcess anyWithMembers() {
        return any(processes.stream()
                .filter(process -> !process.members().isEmpty())
                .toList());
    }

    private <T> T any(List<T> some) {
        return some.get(random.nextInt(some.size()));
    }

    /**
     * Stops the load, waits until the group has committed everything, closes all members, and checks the journals.
     *
     * @throws IllegalStateException if a member has died, or if the group does not come to the end
     */
    JournalReport finish() throws InterruptedException {
        Map<TopicPartition, Long> ends = load().stop();
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(DRAIN_SECONDS);
        while (!behind(ends).isEmpty()) {
            requireNoDeaths();
            if (System.nanoTime() - deadline > 0) {
                throw new IllegalStateException(
                        "the group has not handled everything: end and committed offset " + behind(ends) + "; "
                                + JournalCheck.ofDirectory(directory).run());
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(300));
        }
        for (ConsumerProcess process : processes) {
            for (String member : List.copyOf(process.members())) {
                process.close(member);
                closing.put(member, process);
            }
        }
        for (String member : List.copyOf(closing.keySet())) {
            awaitClosed(member);
        }
        requireNoDeaths();
        JournalCheck check = JournalCheck.ofDirectory(directory);
        kills.forEach(check::killed);
        freezes.forEach(check::frozen);
        return check.run();
    }

    /** Returns the time of the kill of the process with this journal; empty if it was not killed. */
    Map<Path, Long> kills() {
        return kills;
    }

    private Map<TopicPartition, String> behind(Map<TopicPartition, Long> ends) {
        Map<TopicPartition, OffsetAndMetadata> committed = broker.committed(group);
        return ends.entrySet().stream()
                .filter(end -> !committed.containsKey(end.getKey())
                        || committed.get(end.getKey()).offset() < end.getValue())
                .collect(Collectors.toMap(
                        Map.Entry::getKey, end -> end.getValue() + ", " + committed.get(end.getKey())));
    }

    private void requireNoDeaths() {
        List<String> deaths =
                all.stream().flatMap(process -> process.deaths().stream()).toList();
        if (!deaths.isEmpty()) {
            throw new IllegalStateException("members died: " + deaths);
        }
    }

    @Override
    public void close() {
        if (load != null) {
            load.close();
        }
        all.forEach(ConsumerProcess::close);
    }
}
