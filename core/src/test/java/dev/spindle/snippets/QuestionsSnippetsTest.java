// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.snippets;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.Activity;
import dev.spindle.Keyed;
import dev.spindle.OnFull;
import dev.spindle.Spindle;
import dev.spindle.WaitEdge;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The snippets of docs/models.md, which shows the lines between the comments literally. */
@Timeout(60)
class QuestionsSnippetsTest {
    private final ConcurrentLinkedQueue<String> seen = new ConcurrentLinkedQueue<>();

    @Test
    void blocking_callsOfTwoKeysOnOneCoreThread_bothReturn() throws Exception {
        CountDownLatch both = new CountDownLatch(2);
        Database database = new Database(both);
        try (Spindle spindle = Spindle.builder().coreThreads(1).maxThreads(4).build()) {
            Keyed<String> accounts = spindle.keyed("accounts");
            // snippet: blocking
            CompletableFuture<String> row =
                    accounts.submit("alice", () -> Spindle.callBlocking(() -> database.read("alice")));
            // end
            CompletableFuture<String> other =
                    accounts.submit("bob", () -> Spindle.callBlocking(() -> database.read("bob")));

            assertThat(row.get()).isEqualTo("row of alice");
            assertThat(other.get()).isEqualTo("row of bob");
        }
    }

    @Test
    void eventLoop_answersOfOneKey_arriveInOrder() throws Exception {
        int count = 40_000;
        ExecutorService loop = Executors.newSingleThreadExecutor();
        List<Integer> answers = new ArrayList<>(); // of the loop's thread
        CountDownLatch all = new CountDownLatch(count);
        try (Spindle spindle = Spindle.create()) {
            Keyed<String> accounts = spindle.keyed("accounts");
            for (int i = 0; i < count; i++) {
                int request = i;
                Consumer<Integer> reply = answer -> {
                    answers.add(answer);
                    all.countDown();
                };
                loop.execute(() -> {
                    CompletableFuture<?> unused =
                            // snippet: event-loop
                            accounts.submit("alice", () -> book(request)) // on the loop
                                    .thenAcceptAsync(answer -> loop.execute(() -> reply.accept(answer))); // on the lane
                    // end
                });
            }
            all.await();
        }
        loop.shutdown();
        assertThat(answers).isEqualTo(IntStream.range(0, count).boxed().toList());
    }

    private static int book(int request) {
        return request;
    }

    @Test
    void hotKey_withABoundOfItsOwn_makesItsSubmitterWait() {
        // snippet: hot-key
        Spindle spindle = Spindle.create();
        // at most 1,000 tasks wait for one key; then its submitters wait, and those of other keys do not
        Keyed<String> accounts = spindle.<String>keyedBuilder("accounts")
                .keyCapacity(1_000, OnFull.block(Duration.ofSeconds(1)))
                .build();
        // end

        for (int i = 0; i < 5_000; i++) {
            accounts.execute("hot", () -> seen.add("hot"));
        }
        spindle.close();
        assertThat(seen).hasSize(5_000);
    }

    @Test
    void stop_withATaskThatNeverEnds_returnsWhatHasNotStarted() throws Exception {
        CountDownLatch started = new CountDownLatch(1);
        Spindle spindle = Spindle.create();
        spindle.keyed("accounts").execute("alice", () -> {
            started.countDown();
            CountDownLatch never = new CountDownLatch(1);
            try {
                never.await();
            } catch (InterruptedException stop) {
                seen.add("interrupted");
            }
        });
        Runnable next = () -> seen.add("never");
        spindle.keyed("accounts").execute("alice", next);
        started.await();

        assertThat(stop(spindle, Duration.ofMillis(10))).containsValue(List.of(next));
        spindle.close();
        assertThat(seen).containsExactly("interrupted");
    }

    private static Map<String, List<Runnable>> stop(Spindle spindle, Duration limit) {
        // snippet: stop
        // accepts nothing more and runs what was accepted; after the limit interrupts, and returns what is left
        Map<String, List<Runnable>> left = spindle.close(limit).byOwner();
        // end
        return left;
    }

    @Test
    void stuck_keyWithATaskThatWaits_isListedWithItsThread() throws Exception {
        CompletableFuture<Thread> worker = new CompletableFuture<>();
        CountDownLatch end = new CountDownLatch(1);
        try (Spindle spindle = Spindle.create()) {
            spindle.keyed("accounts").execute("alice", () -> {
                worker.complete(Thread.currentThread());
                try {
                    end.await();
                } catch (InterruptedException stop) {
                    Thread.currentThread().interrupt();
                }
            });
            while (worker.join().getState() != Thread.State.WAITING) {
                Thread.onSpinWait(); // the task is about to wait
            }
            // snippet: stuck
            for (Activity lane : spindle.busiest(10)) { // the longest first
                report(lane.owner() + ": " + lane.pending() + " wait, running for " + lane.runningFor());
                report(lane.stack().toString()); // where its task is now
            }
            // end
            end.countDown();
        }

        assertThat(seen).first().asString().startsWith("key accounts/alice: 0 wait, running for PT");
        assertThat(seen).last().asString().contains("CountDownLatch.await");
    }

    @Test
    void waits_keyForAStrand_isListed() {
        CompletableFuture<String> page = new CompletableFuture<>();
        try (Spindle spindle = Spindle.create()) {
            CompletableFuture<String> read = spindle.strand("disk").submitAsync(() -> page);
            spindle.keyed("accounts").execute("alice", () -> seen.add(read.join()));
            while (spindle.waits().size() < 2) {
                Thread.onSpinWait(); // the task is about to wait
            }
            // snippet: waits
            for (WaitEdge wait : spindle.waits()) { // the longest first
                report(wait.from().owner() + " waits for " + wait.to().owner()
                        + (wait.isCyclic() ? ", in a cycle, " : " ") + wait.age());
            }
            // end
            page.complete("row");
        }

        assertThat(seen)
                .anyMatch(line -> line.startsWith("key accounts/alice waits for strand disk PT"))
                .anyMatch(line -> line.startsWith("strand disk waits for the stage of its async task PT"))
                .contains("row");
    }

    private void report(String line) {
        seen.add(line);
    }

    /** A database that answers when all expected callers have arrived. */
    private record Database(CountDownLatch callers) {
        String read(String key) throws InterruptedException {
            callers.countDown();
            callers.await();
            return "row of " + key;
        }
    }
}
