// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.compare;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * A reading of the costs of each live thread of a process from {@code /proc}; empty if the system is not Linux. The
 * kernel discards the costs of a thread that ends.
 *
 * <p>Reading the costs of other threads adds to the costs of the calling thread. The calling thread is therefore read
 * last by {@link #before} and first by {@link #after}.
 */
public final class ThreadCosts {
    private static final Path TASKS = Path.of("/proc/self/task");
    private static final Path OWN = Path.of("/proc/thread-self");

    /** The names of the JIT compiler threads, which the kernel truncates. */
    private static final Pattern COMPILER = Pattern.compile("C[12] Compiler.*");

    private static final long COARSE_NANOS = 20_000_000; // twice the resolution of the JVM's processor time
    private static final Cost NONE = new Cost(0, 0, 0);
    private static final Cost UNKNOWN = new Cost(Double.NaN, Double.NaN, Double.NaN);

    private final Map<String, Cost> threads = new HashMap<>();
    private final String own;
    private long process = OwnProcess.cpuNanos();

    private ThreadCosts(String own) {
        this.own = own;
    }

    /**
     * The costs of threads.
     *
     * @param voluntary the context switches of threads that blocked
     * @param involuntary the context switches of threads that the kernel preempted
     */
    public record Cost(double cpuNanos, double voluntary, double involuntary) {
        public Cost plus(Cost other, int sign) {
            return new Cost(
                    cpuNanos + sign * other.cpuNanos,
                    voluntary + sign * other.voluntary,
                    involuntary + sign * other.involuntary);
        }
    }

    /** Reads the costs of this process at the start of a measurement. */
    public static ThreadCosts before() {
        ThreadCosts costs = new ThreadCosts(ownName());
        costs.read(TASKS, name -> !name.equals(costs.own));
        costs.process = OwnProcess.cpuNanos();
        costs.read(OWN, costs.own);
        return costs;
    }

    public static ThreadCosts after() {
        ThreadCosts costs = new ThreadCosts(ownName());
        costs.read(OWN, costs.own);
        costs.read(TASKS, name -> !name.equals(costs.own));
        return costs;
    }

    public static ThreadCosts of(long pid) {
        ThreadCosts costs = new ThreadCosts("");
        costs.read(Path.of("/proc", Long.toString(pid), "task"), name -> true);
        return costs;
    }

    /** Returns the processor time of the live JIT compiler threads, in nanoseconds; 0 if no such thread is found. */
    public static long ofCompilers() {
        ThreadCosts costs = new ThreadCosts("");
        costs.read(
                TASKS,
                name -> COMPILER.matcher(text(TASKS.resolve(name), "comm").strip())
                        .matches());
        return (long) costs.sum(name -> true).cpuNanos;
    }

    public int threads() {
        return threads.size();
    }

    public Cost since(ThreadCosts earlier) {
        return sum(name -> true).plus(earlier.sum(threads::containsKey), -1);
    }

    /** Returns the processor time of the process since an earlier reading, including threads that have ended. */
    public long cpuNanosSince(ThreadCosts earlier) {
        double sum = since(earlier).cpuNanos;
        long used = process - earlier.process;
        return threads.isEmpty() || used - sum > COARSE_NANOS ? used : (long) sum;
    }

    /**
     * Returns the costs since {@code earlier} of the calling thread and the threads that started after {@code origin}.
     */
    public Cost sinceOf(ThreadCosts earlier, ThreadCosts origin) {
        Predicate<String> counted = name -> name.equals(own) || !origin.threads.containsKey(name);
        return sum(counted).plus(earlier.sum(name -> counted.test(name) && threads.containsKey(name)), -1);
    }

    /** Returns the costs since {@code earlier} of the threads that started after {@code origin}. */
    public Cost ofThreadsAfter(ThreadCosts origin, ThreadCosts earlier) {
        Predicate<String> counted = name -> threads.containsKey(name) && !origin.threads.containsKey(name);
        return sum(counted).plus(earlier.sum(counted), -1);
    }

    private Cost sum(Predicate<String> which) {
        return threads.isEmpty()
                ? UNKNOWN
                : threads.entrySet().stream()
                        .filter(thread -> which.test(thread.getKey()))
                        .map(Map.Entry::getValue)
                        .reduce(NONE, (sum, cost) -> sum.plus(cost, 1));
    }

    private void read(Path folder, Predicate<String> which) {
        try (DirectoryStream<Path> tasks = Files.newDirectoryStream(folder)) {
            for (Path task : tasks) {
                String name = String.valueOf(task.getFileName());
                if (which.test(name)) {
                    read(task, name);
                }
            }
        } catch (IOException e) {
            // The system is not Linux, or the process has ended.
        }
    }

    private void read(Path task, String name) {
        String times = text(task, "schedstat");
        String status = text(task, "status");
        if (!status.isEmpty()) {
            double cpu = times.isEmpty() ? 0 : Long.parseLong(times.substring(0, times.indexOf(' ')));
            threads.put(name, new Cost(cpu, switches(status, "\nvoluntary"), switches(status, "\nnonvoluntary")));
        }
    }

    private static double switches(String status, String kind) {
        String mark = kind + "_ctxt_switches:";
        int begin = status.indexOf(mark) + mark.length();
        return Double.parseDouble(status.substring(begin, status.indexOf('\n', begin)));
    }

    private static String text(Path task, String file) {
        try {
            return Files.readString(task.resolve(file));
        } catch (IOException e) {
            return "";
        }
    }

    private static String ownName() {
        try {
            return String.valueOf(Files.readSymbolicLink(OWN).getFileName());
        } catch (IOException e) {
            return "";
        }
    }
}
