// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.affinity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.spindle.Spindle;
import dev.spindle.Strand;
import dev.spindle.WaitStrategy;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** The cores of pinned and unpinned threads as the kernel reports them. */
@Timeout(60)
@EnabledOnOs(value = OS.LINUX, disabledReason = "the cores of a thread are read from /proc")
class PinnedThreadsTest {
    private final CountDownLatch end = new CountDownLatch(1);
    private final List<Thread> threads = new ArrayList<>();
    private String all = "";

    @BeforeEach
    void cores() {
        all = AllowedCores.ofThisThread();
        assumeTrue(AllowedCores.count(all) >= 2, "this process may use one core only: " + all);
    }

    @AfterEach
    void endThreads() throws InterruptedException {
        end.countDown();
        for (Thread thread : threads) {
            thread.join();
        }
    }

    /** Starts a thread that lives until the end of the test, and returns the cores that it may run on. */
    private String start(PinnedThreads factory) {
        CompletableFuture<String> allowed = new CompletableFuture<>();
        Thread thread = factory.newThread(() -> {
            allowed.complete(AllowedCores.ofThisThread());
            awaitQuietly(end);
        });
        threads.add(thread);
        thread.start();
        return allowed.join();
    }

    private static String run(Thread thread, CompletableFuture<String> allowed) throws InterruptedException {
        thread.start();
        thread.join();
        return allowed.join();
    }

    @Test
    void newThread_whileItRuns_hasOneCoreAndGivesItBack() throws InterruptedException {
        PinnedThreads pinned =
                PinnedThreads.builder().maxPinned(1).pinnedOnly(true).build();
        Set<String> used = new TreeSet<>();
        for (int i = 0; i < 5; i++) {
            CompletableFuture<String> allowed = new CompletableFuture<>();
            used.add(run(pinned.newThread(() -> allowed.complete(AllowedCores.ofThisThread())), allowed));
        }
        assertThat(used).singleElement().asString().containsOnlyDigits();
        assertThat(pinned.toString()).contains(": 0 of at most 1");
        assertThat(AllowedCores.ofThisThread()).isEqualTo(all);
    }

    /** If a core were returned only when the thread has ended, it would be taken in every fourth to sixth round. */
    @Test
    void close_ofAStrandOrSpindle_givesTheCoreBackBeforeItReturns() {
        PinnedThreads pinned =
                PinnedThreads.builder().maxPinned(1).pinnedOnly(true).build();
        for (int i = 0; i < 500; i++) {
            CompletableFuture<String> allowed = new CompletableFuture<>();
            try (Strand strand =
                    Strand.builder("again", pinned, WaitStrategy.PARK).build()) {
                strand.execute(() -> allowed.complete(AllowedCores.ofThisThread()));
            }
            assertThat(allowed.join()).containsOnlyDigits();
            CompletableFuture<String> next = new CompletableFuture<>();
            try (Spindle spindle = Spindle.builder()
                    .coreThreads(1)
                    .maxThreads(1)
                    .threadFactory(pinned)
                    .build()) {
                spindle.execute(() -> next.complete(AllowedCores.ofThisThread()));
            }
            assertThat(next.join()).containsOnlyDigits();
        }
        assertThat(pinned.toString()).contains(": 0 of at most 1");
    }

    @Test
    void newThread_taskThrows_coreIsGivenBack() throws InterruptedException {
        PinnedThreads pinned =
                PinnedThreads.builder().maxPinned(1).pinnedOnly(true).build();
        Thread thread = pinned.newThread(() -> {
            throw new IllegalStateException("on purpose");
        });
        thread.setUncaughtExceptionHandler((t, e) -> {});
        thread.start();
        thread.join();
        assertThat(start(pinned)).containsOnlyDigits();
    }

    @Test
    void twoWorkersOfASpindle_haveDifferentCores() {
        PinnedThreads pinned = PinnedThreads.builder().name("two").maxPinned(2).build();
        Set<String> cores = ConcurrentHashMap.newKeySet();
        Set<String> names = ConcurrentHashMap.newKeySet();
        CountDownLatch both = new CountDownLatch(2);
        try (Spindle spindle = Spindle.builder()
                .coreThreads(2)
                .maxThreads(2)
                .threadFactory(pinned)
                .build()) {
            for (int i = 0; i < 2; i++) {
                spindle.execute(() -> {
                    cores.add(AllowedCores.ofThisThread());
                    names.add(Thread.currentThread().getName());
                    both.countDown();
                    awaitQuietly(both);
                });
            }
            awaitQuietly(both);
        }
        assertThat(cores).hasSize(2).allMatch(core -> AllowedCores.count(core) == 1);
        assertThat(names).containsExactlyInAnyOrder("two-1", "two-2");
        assertThat(pinned.toString()).contains(": 0 of at most 2");
    }

    @Test
    void auxiliariesOfASpindle_runOnAnyCoreThoughAPinnedWorkerStartsThem() {
        PinnedThreads pinned = PinnedThreads.builder().name("core").maxPinned(1).build();
        CountDownLatch seen = new CountDownLatch(8);
        Set<String> auxiliary = ConcurrentHashMap.newKeySet();
        try (Spindle spindle = Spindle.builder()
                .coreThreads(1)
                .maxThreads(9)
                .threadFactory(pinned)
                .auxiliaryThreadFactory(pinned.unpinned())
                .build()) {
            spindle.execute(() -> {
                for (int i = 0; i < 8; i++) {
                    spindle.execute(() -> {
                        auxiliary.add(AllowedCores.ofThisThread());
                        seen.countDown();
                        awaitQuietly(end);
                    });
                }
                Spindle.callBlocking(() -> {
                    awaitQuietly(seen);
                    return null;
                }); // starts the first auxiliary thread from this one
            });
            awaitQuietly(seen);
            end.countDown();
        }
        assertThat(auxiliary).containsExactly(all);
    }

    @Test
    void newThread_beyondTheCores_isNotPinnedByDefault() {
        PinnedThreads pinned = PinnedThreads.builder().maxPinned(1).build();
        assertThat(start(pinned)).containsOnlyDigits();
        assertThat(start(pinned)).isEqualTo(all);
    }

    @Test
    void newThread_beyondTheCoresAndRefused_namesTheNumbers() {
        PinnedThreads pinned = PinnedThreads.builder()
                .name("strict")
                .maxPinned(1)
                .pinnedOnly(true)
                .build();
        String core = start(pinned);
        assertThatThrownBy(() -> pinned.newThread(() -> {}))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("strict")
                .hasMessageContaining("1 of at most 1 threads")
                .hasMessageContaining("{" + core + "} are taken");
    }

    @Test
    void build_moreWorkersThanCores_namesTheNumbers() {
        int cores = AllowedCores.count(all);
        assertThatThrownBy(() -> PinnedThreads.builder()
                        .maxPinned(cores + 3)
                        .name("many")
                        .build())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("cannot pin " + (cores + 3) + " threads of 'many' to " + cores + " cores");
        assertThatThrownBy(() -> PinnedThreads.builder().cores(1).maxPinned(2).build())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("cannot pin 2 threads")
                .hasMessageContaining("1 cores, {1}");
    }

    @Test
    void twoFactories_neverTakeTheSameCore() {
        int cores = AllowedCores.count(all);
        PinnedThreads first = PinnedThreads.builder().maxPinned(1).build();
        PinnedThreads second = PinnedThreads.builder().pinnedOnly(true).build();
        Set<String> taken = new TreeSet<>();
        taken.add(start(first));
        for (int i = 1; i < cores; i++) {
            taken.add(start(second));
        }
        assertThat(taken).hasSize(cores);
        assertThatThrownBy(() -> second.newThread(() -> {})).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void cores_chosen_areTheOnesUsed() {
        int chosen = AllowedCores.parse(all).nextSetBit(0); // by default a factory starts with the highest
        PinnedThreads pinned = PinnedThreads.builder().cores(chosen).build();
        assertThat(start(pinned)).isEqualTo(Integer.toString(chosen));
    }

    static void awaitQuietly(CountDownLatch latch) {
        try {
            assertThat(latch.await(20, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
