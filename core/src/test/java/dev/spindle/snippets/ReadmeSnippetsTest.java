// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.snippets;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.Keyed;
import dev.spindle.OnFull;
import dev.spindle.Spindle;
import dev.spindle.Strand;
import dev.spindle.StrandGroup;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The snippets of the README, which shows the lines between the comments literally. */
@SuppressWarnings("FutureReturnValueIgnored") // the effects of the tasks are checked
class ReadmeSnippetsTest {
    @Test
    void keys_tasksOfOneAccount_runInOrderWithoutLocks() {
        // snippet: keys
        Account alice = new Account(); // plain fields, no locks
        Account bob = new Account();
        CompletableFuture<Integer> balance;

        try (Spindle spindle = Spindle.create()) {
            Keyed<String> accounts = spindle.keyed("accounts");
            accounts.execute("alice", () -> alice.deposit(100));
            accounts.execute("alice", () -> alice.withdraw(30)); // after the deposit, and sees it
            accounts.execute("bob", () -> bob.deposit(50)); // does not wait for alice
            balance = accounts.submit("alice", () -> alice.balance());
        } // close() waits until everything accepted has run

        int left = balance.join(); // 70
        // end

        assertThat(left).isEqualTo(70);
        assertThat(bob.balance()).isEqualTo(50);
    }

    @Test
    void strand_insteadOfASingleThread_runsInOrder() throws Exception {
        List<String> lines = new ArrayList<>();
        try (Spindle spindle = Spindle.create()) {
            // snippet: strand
            // was: ExecutorService journal = Executors.newSingleThreadExecutor();
            ExecutorService journal = spindle.strand("journal");

            journal.execute(() -> lines.add("opened"));
            journal.execute(() -> lines.add("closed"));
            Future<Integer> count = journal.submit(() -> lines.size()); // 2
            journal.shutdown(); // ends this strand; the spindle and its other strands go on
            // end

            assertThat(count.get(20, TimeUnit.SECONDS)).isEqualTo(2);
            assertThat(journal.awaitTermination(20, TimeUnit.SECONDS)).isTrue();
            assertThat(spindle.isShutdown()).isFalse();
        }
        assertThat(lines).containsExactly("opened", "closed");
    }

    @Test
    void group_ofEightLogs_keepsTheOrderOfEach() {
        Queue<String> seen = new ConcurrentLinkedQueue<>();
        // snippet: group
        StrandGroup group = Strand.builder("raft") // a thread each; spindle.strandBuilder("raft") shares threads
                .capacity(32_768, OnFull.reject())
                .quietPeriod(Duration.ofMillis(50)) // of a shutdown: running tasks may submit what follows
                .buildGroup(8);

        group.at(3).execute(() -> seen.add("vote")); // by index: in order for each
        group.forKey("alice").execute(() -> seen.add("append")); // by key
        group.next().execute(() -> seen.add("tick")); // whose turn it is
        group.close(); // or drain(), which returns a future
        // end

        assertThat(seen).containsExactlyInAnyOrder("vote", "append", "tick");
    }

    @Test
    void executor_insteadOfAFixedPool_runsItsTasks() throws Exception {
        Disk disk = new Disk();
        try (Spindle spindle = Spindle.create()) {
            // snippet: executor
            // was: ExecutorService reads = Executors.newFixedThreadPool(32);
            ExecutorService reads = spindle.executorBuilder("reads")
                    .maxConcurrency(32)
                    .capacity(1_000, OnFull.block(Duration.ofSeconds(1))) // or reject, dropOldest, callerRuns
                    .build();

            Future<String> page = reads.submit(() -> disk.read("index"));
            reads.shutdown(); // runs what was accepted; the spindle and its other executors go on
            // end

            assertThat(page.get(20, TimeUnit.SECONDS)).isEqualTo("page index");
            assertThat(reads.awaitTermination(20, TimeUnit.SECONDS)).isTrue();
            assertThat(spindle.isShutdown()).isFalse();
        }
    }

    @Test
    void latest_pricesFasterThanTheScreen_lastOneIsShownBeforeTheOrder() throws Exception {
        int[] prices = {101, 102, 103, 104};
        Screen screen = new Screen();
        try (Spindle spindle = Spindle.create();
                Broker broker = new Broker()) {
            // snippet: latest
            Keyed<String> stocks = spindle.keyed("stocks");

            // Latest wins: a price that still waits gives its place to a newer one. The last one is always shown.
            for (int price : prices) {
                stocks.coalesce("ACME", () -> screen.show("ACME at " + price));
            }

            // Async: the key waits for the broker's answer. No thread does.
            CompletableFuture<String> receipt = stocks.submitAsync("ACME", () -> broker.buy("ACME"));
            stocks.execute("ACME", () -> screen.show("bought ACME")); // after the answer
            // end

            assertThat(broker.asked.await(20, TimeUnit.SECONDS)).isTrue();
            assertThat(screen.shown).last().isEqualTo("ACME at 104");
            broker.answer.complete(104);
            assertThat(receipt.get(20, TimeUnit.SECONDS)).isEqualTo("ACME at 104");
        }
        assertThat(screen.shown).last().isEqualTo("bought ACME");
        assertThat(screen.shown.size()).isBetween(2, 5);
    }

    /** An account that is not thread-safe and relies on its key. */
    private static final class Account {
        private int balance;

        void deposit(int amount) {
            balance += amount;
        }

        void withdraw(int amount) {
            balance -= amount;
        }

        int balance() {
            return balance;
        }
    }

    private static final class Disk {
        String read(String page) {
            return "page " + page;
        }
    }

    private static final class Screen {
        final ConcurrentLinkedQueue<String> shown = new ConcurrentLinkedQueue<>();

        void show(String line) {
            shown.add(line);
        }
    }

    private static final class Broker implements AutoCloseable {
        final CountDownLatch asked = new CountDownLatch(1);
        final CompletableFuture<Integer> answer = new CompletableFuture<>();

        CompletionStage<String> buy(String stock) {
            asked.countDown();
            return answer.thenApply(price -> stock + " at " + price);
        }

        /** Completes the open answer, which would otherwise hold its key and the spindle. */
        @Override
        public void close() {
            answer.complete(0);
        }
    }
}
