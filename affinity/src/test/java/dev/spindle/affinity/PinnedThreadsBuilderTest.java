// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.affinity;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests that need no pinning: names, arguments, and the behaviour on systems that do not pin. */
@Timeout(60)
class PinnedThreadsBuilderTest {
    private final Logger logger = Logger.getLogger(PinnedThreads.LOGGER);
    private final List<String> logged = new CopyOnWriteArrayList<>();
    private final Handler handler = new Handler() {
        @Override
        public void publish(@Nullable LogRecord entry) {
            if (entry != null) {
                logged.add(String.valueOf(entry.getMessage()));
            }
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    };

    /** A system with the given cores. */
    private static class FakeSystem implements ThreadAffinity {
        private final BitSet cores = new BitSet();

        FakeSystem(int count) {
            cores.set(0, count);
        }

        @Override
        public BitSet allowed() {
            return (BitSet) cores.clone();
        }

        @Override
        public void allow(BitSet wanted) {}
    }

    @BeforeEach
    void record() {
        logger.addHandler(handler);
        logger.setUseParentHandlers(false);
    }

    @AfterEach
    void stopRecording() {
        logger.removeHandler(handler);
        logger.setUseParentHandlers(true);
    }

    private static boolean runs(PinnedThreads threads) throws InterruptedException {
        CompletableFuture<Boolean> ran = new CompletableFuture<>();
        Thread thread = threads.newThread(() -> ran.complete(true));
        thread.start();
        thread.join();
        return ran.isDone();
    }

    @Test
    void systemThatDoesNotTellItsCores_warnsOnceAndThreadsRun() throws InterruptedException {
        PinnedThreads threads = new PinnedThreadsBuilder(new FakeSystem(0))
                .name("elsewhere")
                .maxPinned(7)
                .pinnedOnly(true)
                .build();
        for (int i = 0; i < 10; i++) {
            assertThat(runs(threads)).isTrue();
        }
        assertThat(logged).singleElement().asString().contains("elsewhere").contains("does not pin");
    }

    @Test
    void systemThatDoesNothing_warnsOnceAndThreadsRun() throws InterruptedException {
        PinnedThreads threads = new PinnedThreadsBuilder(new FakeSystem(2)).build();
        assertThat(runs(threads)).isTrue();
        assertThat(runs(threads)).isTrue();
        assertThat(logged).singleElement().asString().contains("pinned-1").contains("{0, 1} and not on {1}");
    }

    /** Threads inherit the cores of their starter. */
    @Test
    void systemThatRefusesToPin_threadRunsOnAnyCore() throws InterruptedException {
        List<BitSet> allowed = new CopyOnWriteArrayList<>();
        ThreadAffinity refusing = new FakeSystem(4) {
            @Override
            public void allow(BitSet wanted) {
                allowed.add((BitSet) wanted.clone());
                if (wanted.cardinality() == 1) {
                    throw new IllegalStateException("errno=22");
                }
            }
        };
        PinnedThreads threads = new PinnedThreadsBuilder(refusing).build();
        assertThat(runs(threads)).isTrue();
        assertThat(allowed).extracting(BitSet::toString).containsExactly("{3}", "{0, 1, 2, 3}");
        assertThat(logged).singleElement().asString().contains("cannot be bound to the cores {3}");
    }

    @Test
    void newThread_whenNoCoreIsLeft_saysSoOnce() throws InterruptedException {
        PinnedThreads threads =
                new PinnedThreadsBuilder(new FakeSystem(4)).maxPinned(1).build();
        List<Thread> made = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            made.add(threads.newThread(() -> {}));
        }
        assertThat(logged)
                .singleElement()
                .asString()
                .contains("no core is left for pinned-2")
                .contains("1 of at most 1");
        made.get(0).start(); // returns the core
        made.get(0).join();
    }

    @Test
    void close_byAnotherThread_takesNoCoreAway() throws Exception {
        PinnedThreads threads =
                new PinnedThreadsBuilder(new FakeSystem(4)).maxPinned(1).build();
        Thread thread = threads.newThread(() -> {});
        ((AutoCloseable) thread).close();
        assertThat(threads.toString()).contains(": 1 of at most 1");
        thread.start();
        thread.join();
        assertThat(threads.toString()).contains(": 0 of at most 1");
    }

    @Test
    void systemThatRefuses_warnsOnceAndThreadsRun() throws InterruptedException {
        ThreadAffinity refusing = new FakeSystem(2) {
            @Override
            public void allow(BitSet wanted) {
                throw new IllegalStateException("errno=22");
            }
        };
        PinnedThreads threads = new PinnedThreadsBuilder(refusing).build();
        assertThat(runs(threads)).isTrue();
        assertThat(runs(threads)).isTrue();
        assertThat(logged).singleElement().asString().contains("cannot be bound to the cores {1}");
    }

    @Test
    void threads_areNamedAndNumberedTogetherAndAreNoDaemons() throws InterruptedException {
        PinnedThreads threads =
                new PinnedThreadsBuilder(new FakeSystem(4)).name("trades").build();
        List<Thread> made = new ArrayList<>();
        Thread daemon = new Thread(() -> {
            made.add(threads.newThread(() -> {}));
            made.add(requireNonNull(threads.unpinned().newThread(() -> {})));
            made.add(threads.newThread(() -> {}));
        });
        daemon.setDaemon(true);
        daemon.start();
        daemon.join();
        assertThat(made).extracting(Thread::getName).containsExactly("trades-1", "trades-2", "trades-3");
        assertThat(made).noneMatch(Thread::isDaemon);
        for (Thread thread : made) { // returns the cores
            thread.start();
            thread.join();
        }
    }

    @Test
    void library_onTheClassPath_isFound() {
        assertThat(OpenHftAffinity.INSTANCE).isInstanceOf(OpenHftAffinity.class);
    }

    @Test
    void wrongArguments_areRefusedWithTheValue() {
        PinnedThreadsBuilder builder = PinnedThreads.builder();
        assertThatThrownBy(() -> builder.maxPinned(0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("0");
        assertThatThrownBy(() -> builder.cores(2, -1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("-1");
        assertThatThrownBy(builder::cores)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("at least one");
    }
}
