// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import com.alipay.sofa.jraft.util.NamedThreadFactory;
import com.alipay.sofa.jraft.util.concurrent.DefaultFixedThreadsExecutorGroupFactory;
import com.alipay.sofa.jraft.util.concurrent.FixedThreadsExecutorGroup;
import com.alipay.sofa.jraft.util.concurrent.MpscSingleThreadExecutor;
import com.alipay.sofa.jraft.util.concurrent.SingleThreadExecutor;
import com.google.common.util.concurrent.MoreExecutors;
import com.lmax.disruptor.RingBuffer;
import com.lmax.disruptor.dsl.Disruptor;
import com.lmax.disruptor.util.DaemonThreadFactory;
import dev.spindle.CoalescingTask;
import dev.spindle.Keyed;
import dev.spindle.LogicalExecutor;
import dev.spindle.OnFull;
import dev.spindle.SequentialTask;
import dev.spindle.Spindle;
import dev.spindle.Strand;
import dev.spindle.StrandGroup;
import dev.spindle.actor.ActorRef;
import dev.spindle.actor.Actors;
import dev.spindle.pipeline.Pipeline;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import java.util.stream.IntStream;
import org.apache.pekko.actor.AbstractActor;
import org.apache.pekko.actor.ActorSystem;
import org.apache.pekko.actor.Props;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The code of docs/migration.md, which shows the lines between the comments literally. Both sides of a pair do the same
 * work, and what one promises of order is checked on each.
 */
@Timeout(60)
class MigrationTest {
    private static final int PER_ACCOUNT = 1_000;
    private static final List<String> ACCOUNTS = List.of("alice", "bob", "carol", "dave");

    private final Spindle spindle = Spindle.create();
    private final Map<String, Queue<Integer>> booked = new ConcurrentHashMap<>();
    private final CountDownLatch all = new CountDownLatch(PER_ACCOUNT * ACCOUNTS.size());

    @AfterEach
    void close() {
        spindle.close();
    }

    /** What a program calls for each of its events. */
    private interface Handler {
        void handle(String account, int amount) throws InterruptedException;
    }

    private void book(String account, int amount) {
        booked.computeIfAbsent(account, name -> new ConcurrentLinkedQueue<>()).add(amount);
        all.countDown();
    }

    /** Sends amounts of each account by {@code way}, and checks their order. */
    private void checkOrder(Handler way) throws InterruptedException {
        for (int amount = 0; amount < PER_ACCOUNT; amount++) {
            for (String account : ACCOUNTS) {
                way.handle(account, amount);
            }
        }
        assertThat(all.await(20, TimeUnit.SECONDS)).isTrue();
        List<Integer> inOrder = IntStream.range(0, PER_ACCOUNT).boxed().toList();
        for (String account : ACCOUNTS) {
            assertThat(booked.get(account)).as(account).containsExactlyElementsOf(inOrder);
        }
    }

    // ---------------------------------------------------------------- single-thread executors

    @Test
    void singleThreads_before() throws InterruptedException {
        // snippet: from-single-threads
        ExecutorService[] executors = new ExecutorService[16];
        Arrays.setAll(executors, index -> Executors.newSingleThreadExecutor());

        Handler handle = (account, amount) -> {
            int index = Math.floorMod(account.hashCode(), executors.length); // a slow account delays its neighbours
            executors[index].execute(() -> book(account, amount));
        };
        // end
        checkOrder(handle);
        for (ExecutorService executor : executors) {
            executor.shutdown();
        }
    }

    @Test
    void singleThreads_after() throws InterruptedException {
        // snippet: to-keys
        Keyed<String> accounts = spindle.keyed("accounts");

        Handler handle = (account, amount) -> accounts.execute(account, () -> book(account, amount));
        // end
        checkOrder(handle);
    }

    @Test
    void singleThread_after() throws InterruptedException {
        // snippet: to-strand
        ExecutorService journal = spindle.strand("journal"); // was Executors.newSingleThreadExecutor()
        // end
        checkOrder((account, amount) -> journal.execute(() -> book(account, amount)));
    }

    // ---------------------------------------------------------------- ThreadPoolExecutor

    private AtomicInteger running = new AtomicInteger();
    private AtomicInteger most = new AtomicInteger();

    private void query() {
        most.accumulateAndGet(running.incrementAndGet(), Math::max);
        Thread.yield();
        running.decrementAndGet();
        all.countDown();
    }

    private void checkLimit(ExecutorService executor) throws InterruptedException {
        for (long left = all.getCount(); left > 0; left--) {
            executor.execute(this::query);
        }
        assertThat(all.await(20, TimeUnit.SECONDS)).isTrue();
        assertThat(most.get()).isBetween(1, 11); // and the caller
        executor.shutdown();
    }

    @Test
    void pool_before() throws InterruptedException {
        // snippet: from-pool
        ThreadPoolExecutor queries = new ThreadPoolExecutor(
                10,
                10,
                60,
                TimeUnit.SECONDS,
                new ArrayBlockingQueue<>(1_000),
                new ThreadPoolExecutor.CallerRunsPolicy());
        // end
        checkLimit(queries);
    }

    @Test
    void pool_after() throws InterruptedException {
        // snippet: to-executor
        LogicalExecutor queries = spindle.executorBuilder("queries")
                .maxConcurrency(10)
                .capacity(1_000, OnFull.callerRuns())
                .build();
        // end
        checkLimit(queries);
    }

    // ---------------------------------------------------------------- GatlingExecutor

    /** A task of a class that knew its context. */
    private final class Booking implements SequentialTask {
        private final String account;
        private final int amount;

        Booking(String account, int amount) {
            this.account = account;
            this.amount = amount;
        }

        @Override
        public Object key() {
            return account;
        }

        @Override
        public void run() {
            book(account, amount);
        }
    }

    @Test
    void gatling_after() throws InterruptedException {
        Queue<Integer> shown = new ConcurrentLinkedQueue<>();
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch busy = new CountDownLatch(1);
        // snippet: to-tasks
        record Repaint(String window, Runnable code) implements CoalescingTask {
            @Override
            public Object key() { // was context()
                return window;
            }

            @Override
            public void run() {
                code.run();
            }
        }

        Executor executor = spindle; // also for tasks without a key
        executor.execute(new Repaint("main", () -> shown.add(1)));
        // end
        spindle.execute(new SequentialTask() {
            @Override
            public Object key() {
                return "main";
            }

            @Override
            public void run() {
                begun.countDown();
                try {
                    busy.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }
        });
        begun.await(); // otherwise 2 could take the place of 1
        executor.execute(new Repaint("main", () -> shown.add(2)));
        executor.execute(new Repaint("main", () -> shown.add(3)));
        busy.countDown();

        checkOrder((account, amount) -> executor.execute(new Booking(account, amount)));
        spindle.close();
        assertThat(shown).containsExactly(1, 3);
    }

    // ---------------------------------------------------------------- SOFAJRaft

    @Test
    void group_before() throws InterruptedException {
        // snippet: from-group
        SingleThreadExecutor[] threads = new SingleThreadExecutor[8];
        Arrays.setAll(
                threads, index -> new MpscSingleThreadExecutor(32_768, new NamedThreadFactory("append-" + index)));
        FixedThreadsExecutorGroup group = DefaultFixedThreadsExecutorGroupFactory.INSTANCE.newExecutorGroup(threads);

        Handler handle =
                (account, amount) -> group.execute(Math.floorMod(account.hashCode(), 8), () -> book(account, amount));
        // end
        checkOrder(handle);
        group.shutdownGracefully(20, TimeUnit.SECONDS);
    }

    @Test
    void group_after() throws InterruptedException {
        // snippet: to-group
        StrandGroup group = Strand.builder("append") // a thread each; spindle.strandBuilder("append") shares threads
                .capacity(32_768, OnFull.reject())
                .buildGroup(8);

        Handler handle = (account, amount) -> group.forKey(account).execute(() -> book(account, amount));
        // end
        checkOrder(handle);
        group.close();
    }

    // ---------------------------------------------------------------- the Injector

    @Test
    void injector_after() throws InterruptedException {
        // snippet: to-shared-threads
        LogicalExecutor reads = spindle.executorBuilder("reads")
                .maxConcurrency(10)
                .capacity(1_000, OnFull.block(Duration.ofSeconds(10)))
                .build();
        // end
        checkLimit(reads);
    }

    // ---------------------------------------------------------------- Disruptor

    private static final class Order {
        private String account = "";
        private int amount;

        void set(String account, int amount) {
            this.account = account;
            this.amount = amount;
        }
    }

    private final Queue<String> journal = new ConcurrentLinkedQueue<>();

    private void write(Order order) {
        journal.add(order.account + order.amount);
    }

    private void apply(Order order) {
        book(order.account, order.amount);
    }

    @Test
    void disruptor_before() throws InterruptedException {
        // snippet: from-disruptor
        Disruptor<Order> disruptor = new Disruptor<>(Order::new, 8_192, DaemonThreadFactory.INSTANCE);
        disruptor
                .handleEventsWith((order, sequence, last) -> write(order)) // a thread
                .then((order, sequence, last) -> apply(order)); // and a thread
        RingBuffer<Order> ring = disruptor.start();

        Handler handle = (account, amount) -> ring.publishEvent((order, sequence) -> order.set(account, amount));
        // end
        checkOrder(handle);
        disruptor.shutdown();
        assertThat(journal).hasSize(PER_ACCOUNT * ACCOUNTS.size());
    }

    @Test
    void disruptor_after() throws InterruptedException {
        // snippet: to-pipeline
        Pipeline<Order> orders = Pipeline.builder(spindle, "orders", Order::new)
                .capacity(8_192)
                .stage("write", this::write)
                .stage("apply", this::apply)
                .build();

        Handler handle = (account, amount) -> orders.publish(order -> order.set(account, amount));
        // end
        checkOrder(handle);
        orders.close();
        assertThat(journal).hasSize(PER_ACCOUNT * ACCOUNTS.size());
    }

    // ---------------------------------------------------------------- Guava

    @Test
    void guava_before() throws InterruptedException {
        ExecutorService pool = new ForkJoinPool(2);
        // snippet: from-guava
        Map<String, Executor> executors = new ConcurrentHashMap<>(); // grows with the accounts

        Handler handle = (account, amount) -> executors
                .computeIfAbsent(account, name -> MoreExecutors.newSequentialExecutor(pool))
                .execute(() -> book(account, amount));
        // end
        checkOrder(handle);
        pool.shutdown();
    }

    @Test
    void guava_after() throws InterruptedException {
        ExecutorService pool = new ForkJoinPool(2);
        // snippet: to-keys-over
        Keyed<String> accounts =
                Keyed.over("accounts", pool); // on the threads that you have; a Spindle grows by itself

        Handler handle = (account, amount) -> accounts.execute(account, () -> book(account, amount));
        // end
        checkOrder(handle);
        pool.shutdown();
    }

    // ---------------------------------------------------------------- Pekko

    /** A message to an account. */
    record Credit(int amount) {}

    // snippet: from-pekko
    static final class Account extends AbstractActor {
        private final BiConsumer<String, Integer> booking;

        Account(BiConsumer<String, Integer> booking) {
            this.booking = booking;
        }

        @Override
        public Receive createReceive() {
            return receiveBuilder()
                    .match(Credit.class, credit -> booking.accept(self().path().name(), credit.amount()))
                    .build();
        }
    }
    // end

    @Test
    void pekko_before() throws InterruptedException {
        ActorSystem system = ActorSystem.create("bank");
        Map<String, org.apache.pekko.actor.ActorRef> refs = new ConcurrentHashMap<>();
        for (String account : ACCOUNTS) {
            refs.put(account, system.actorOf(Props.create(Account.class, () -> new Account(this::book)), account));
        }
        checkOrder(
                (account, amount) -> Objects.requireNonNull(refs.get(account)).tell(new Credit(amount), null));
        system.terminate();
    }

    @Test
    void pekko_after() throws InterruptedException {
        Map<String, ActorRef<Credit>> refs = new ConcurrentHashMap<>();
        try (Actors actors = Actors.create(spindle)) {
            for (String account : ACCOUNTS) {
                // snippet: to-actors
                ActorRef<Credit> ref = actors.<Credit>actorBuilder(
                                account, () -> (credit, self) -> book(account, credit.amount()))
                        .capacity(1_024) // send waits at the bound; a mailbox of Pekko has none
                        .build();
                // end
                refs.put(account, ref);
            }
            checkOrder((account, amount) ->
                    Objects.requireNonNull(refs.get(account)).send(new Credit(amount)));
        }
    }
}
