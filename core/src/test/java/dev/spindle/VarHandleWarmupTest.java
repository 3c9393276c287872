// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.DataInputStream;
import java.io.IOException;
import java.lang.invoke.MethodType;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** F5: no call of a protocol is first linked at a time when memory may be exhausted. */
@Timeout(60)
class VarHandleWarmupTest {
    private static final Pattern LINKED =
            Pattern.compile("^linkMethod java\\.lang\\.invoke\\.VarHandle\\.(\\S+)/5", Pattern.MULTILINE);

    /** Calls that only bounded or logical executors make, which warm them up when they are built. */
    private static final Pattern OF_PARTS = Pattern.compile("\\((BoundedTask|CountedPermits|ConcurrencyLimiter)[,)]");

    private static final String BEGIN = "begin";

    @Test
    void f5_whenASpindleIsThere_allCallsOfVarHandlesAreLinkedButThoseOfPartsThatAreNot(@TempDir Path folder)
            throws Exception {
        assertThat(unlinked(folder.resolve("output")))
                .as("calls that a VarHandleWarmup leaves out")
                .allMatch(call -> OF_PARTS.matcher(call).find());
    }

    @Test
    void f5_whenABoundAndALogicalExecutorAreThere_allCallsOfVarHandlesAreLinked(@TempDir Path folder) throws Exception {
        assertThat(unlinked(folder.resolve("output"), "parts"))
                .as("calls that a VarHandleWarmup leaves out")
                .isEmpty();
    }

    /** Returns the calls that are not linked when {@link FirstSpindle} has run. */
    private static List<String> unlinked(Path output, String... arguments) throws Exception {
        ProcessBuilder builder =
                ForkedJvm.of(FirstSpindle.class, "-Djava.lang.invoke.MethodHandle.TRACE_METHOD_LINKAGE=true");
        builder.command().addAll(List.of(arguments));
        Process process = builder.redirectOutput(output.toFile()).start();
        assertThat(process.waitFor(40, TimeUnit.SECONDS)).isTrue();
        String said = Files.readString(output, StandardCharsets.UTF_8);
        assertThat(process.exitValue()).as(said).isZero();
        List<String> unlinked = new ArrayList<>();
        try (Stream<Path> files = Files.walk(Path.of(ForkedJvm.placeOf(Spindle.class)))) {
            for (Path file : files.filter(f -> f.toString().endsWith(".class")).toList()) {
                unlinked.addAll(varHandleCalls(file));
            }
        }
        assertThat(unlinked).as("calls in the class files").hasSizeGreaterThan(50);
        Matcher linked = LINKED.matcher(said.substring(said.indexOf(BEGIN)));
        while (linked.find()) {
            unlinked.remove(linked.group(1));
        }
        return unlinked;
    }

    /** The program of the other JVM. */
    static final class FirstSpindle {
        private FirstSpindle() {}

        public static void main(String[] arguments) {
            AtomicReferenceArray<@Nullable Object> calls =
                    new AtomicReferenceArray<>(1); // its calls resemble those of this library
            calls.compareAndSet(0, null, BEGIN);
            calls.set(0, calls.get(0));
            System.out.println(calls.get(0));
            Spindle spindle = Spindle.create();
            if (arguments.length > 0) {
                spindle.executor("executor").build();
                Strand.builder("bounded").on(spindle).capacity(1).build();
            }
            spindle.close();
        }
    }

    /**
     * Returns the calls of VarHandles, without fences, that a class file contains, in the format of the JVM's log of
     * linking.
     */
    private static List<String> varHandleCalls(Path file) throws IOException {
        List<String> calls = new ArrayList<>();
        @Nullable Object[] pool = constants(file);
        for (@Nullable Object constant : pool) {
            if (constant instanceof Pair method
                    && pool[method.first] instanceof Integer type
                    && "java/lang/invoke/VarHandle".equals(pool[type])
                    && pool[method.second] instanceof Pair name
                    && !String.valueOf(pool[name.first]).endsWith("Fence")) {
                calls.add(pool[name.first] + described(String.valueOf(pool[name.second])));
            }
        }
        return calls;
    }

    /** Returns a descriptor in the format of {@link MethodType#toString}. */
    private static String described(String descriptor) {
        return MethodType.fromMethodDescriptorString(descriptor, VarHandleWarmupTest.class.getClassLoader())
                .toString();
    }

    /** A pair of indexes: of a name and a descriptor, or of a class and such a pair. */
    private record Pair(int first, int second) {}

    /**
     * Returns the constant pool of a class file: strings, indexes of the names of classes, and pairs; null for other
     * entries.
     */
    private static @Nullable Object[] constants(Path file) throws IOException {
        try (DataInputStream in = new DataInputStream(Files.newInputStream(file))) {
            in.skipNBytes(8);
            @Nullable Object[] pool = new @Nullable Object[in.readUnsignedShort()];
            for (int i = 1; i < pool.length; i++) {
                int tag = in.readUnsignedByte();
                switch (tag) {
                    case 1 -> pool[i] = in.readUTF();
                    case 7 -> pool[i] = in.readUnsignedShort();
                    case 9, 10, 11, 12 -> pool[i] = new Pair(in.readUnsignedShort(), in.readUnsignedShort());
                    case 3, 4, 17, 18 -> in.skipNBytes(4);
                    case 5, 6 -> {
                        in.skipNBytes(8);
                        i++; // takes two entries
                    }
                    case 15 -> in.skipNBytes(3);
                    case 8, 16, 19, 20 -> in.skipNBytes(2);
                    default -> throw new IOException("constant " + i + " of " + file + " has the unknown tag " + tag);
                }
            }
            return pool;
        }
    }
}
