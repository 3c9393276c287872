// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.conformance;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.Keyed;
import dev.spindle.Lane;
import dev.spindle.LogicalExecutor;
import dev.spindle.OnFull;
import dev.spindle.Spindle;
import dev.spindle.Strand;
import dev.spindle.StrandGroup;
import dev.spindle.WaitStrategy;
import dev.spindle.actor.Actor;
import dev.spindle.actor.ActorContext;
import dev.spindle.actor.ActorRef;
import dev.spindle.actor.Actors;
import dev.spindle.affinity.PinnedThreads;
import dev.spindle.channel.Channel;
import dev.spindle.channel.Select;
import dev.spindle.flow.Attempt;
import dev.spindle.flow.Deadline;
import dev.spindle.flow.Endpoint;
import dev.spindle.flow.Gathered;
import dev.spindle.flow.Outcome;
import dev.spindle.flow.Part;
import dev.spindle.flow.ScatterGather;
import dev.spindle.flow.ScatterGatherBuilder;
import dev.spindle.pipeline.Pipeline;
import dev.spindle.testkit.Simulation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The tasks for which users come to the library, each in the form in which they write it. */
@Timeout(60)
@SuppressWarnings("FutureReturnValueIgnored") // the tests see the ends by other means
class UserTasksTest {
    private static final Duration S1 = Duration.ofSeconds(1);
    private static final Duration MS20 = Duration.ofMillis(20);

    private final List<Object> log = Collections.synchronizedList(new ArrayList<>());
    private final List<Throwable> failures = Collections.synchronizedList(new ArrayList<>());
    private final Spindle spindle = Spindle.builder()
            .name("orders")
            .onFailure((activity, failure) -> {
                log.add(activity.owner());
                failures.add(failure);
            })
            .build();
    private final Keyed<String> accounts = spindle.keyed("accounts");
    private final Lane alice = accounts.at("alice");

    @AfterEach
    void close() {
        spindle.close();
    }

    private static <T extends @Nullable Object> T result(CompletableFuture<T> future) {
        return future.orTimeout(30, TimeUnit.SECONDS).join();
    }

    @Test
    void inOrderForAKey() {
        accounts.execute("alice", () -> log.add(1));
        accounts.execute("alice", () -> log.add(2));
        result(alice.quiesce());
        assertThat(log).containsExactly(1, 2);
    }

    @Test
    void holdTheKeyUntilAStageCompletes() {
        CompletableFuture<String> answer = new CompletableFuture<>();
        CompletableFuture<String> call = accounts.at("alice").submitAsync(() -> answer, S1.multipliedBy(30));
        CompletableFuture<?> next = accounts.submit("alice", () -> log.add("next"));
        assertThat(next).isNotDone();
        answer.complete("answer");
        assertThat(result(call)).isEqualTo("answer");
        result(next);
        assertThat(log).containsExactly("next");
    }

    @Test
    void latestTaskWins() {
        alice.pause();
        CompletableFuture<Boolean> first = accounts.coalesce("alice", () -> log.add("first"));
        CompletableFuture<Boolean> second = accounts.coalesce("alice", () -> log.add("second"));
        alice.resume();
        assertThat(result(first)).isFalse();
        assertThat(result(second)).isTrue();
        assertThat(log).containsExactly("second");
    }

    private record Price(String stock, int cents) {}

    @Test
    void latestValueWins() {
        Strand screen = spindle.strand("screen");
        screen.pause();
        Channel<Price> prices = Channel.conflating("prices", 65_536, Price::stock);
        CompletableFuture<?> shown = prices.forEach(screen, log::add);
        assertThat(prices.offer(new Price("ACME", 100))).isTrue();
        assertThat(prices.offer(new Price("ACME", 101))).isTrue();
        screen.resume();
        prices.close();
        result(shown);
        assertThat(log).containsExactly(new Price("ACME", 101));
    }

    @Test
    void tenAtATime() {
        ExecutorService jdbc = spindle.executor("jdbc", 10);
        CountDownLatch ten = new CountDownLatch(10);
        for (int i = 0; i < 10; i++) {
            jdbc.execute(() -> {
                ten.countDown();
                boolean unused = Spindle.callBlocking(() -> await(ten));
                log.add("ran");
            });
        }
        jdbc.shutdown();
        assertThat(await(ten)).isTrue();
    }

    private static boolean await(CountDownLatch latch) {
        try {
            return latch.await(30, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void bounded() {
        LogicalExecutor jdbc = spindle.executorBuilder("jdbc")
                .capacity(1_000, OnFull.block(S1))
                .build();
        result(jdbc.submit(() -> log.add("ran")));
        accounts.setKeyCapacity(1_000, OnFull.dropOldest());
        assertThat(jdbc.stats().capacity()).isEqualTo(1_000);
    }

    @Test
    void serialExecutorWithABound() {
        Strand audit =
                spindle.strandBuilder("audit").capacity(100, OnFull.reject()).build();
        result(audit.submit(() -> log.add("ran")));
        assertThat(log).containsExactly("ran");
    }

    @Test
    void eightPinnedThreads() throws Exception {
        PinnedThreads pinned = PinnedThreads.builder().name("raft").build();
        try (StrandGroup raft =
                Strand.builder("raft", pinned, WaitStrategy.PARK).buildGroup(8)) {
            raft.at(3).execute(() -> log.add("ran"));
            result(raft.at(3).quiesce());
        }
        assertThat(log).containsExactly("ran");
    }

    @Test
    void aKeyAsExecutorService() throws Exception {
        ExecutorService lane = accounts.at("alice");
        assertThat(lane.submit(() -> "ran").get(30, TimeUnit.SECONDS)).isEqualTo("ran");
    }

    @Test
    void laterInOrder() throws Exception {
        accounts.at("alice").schedule(() -> log.add("later"), 1, MILLISECONDS).get(30, TimeUnit.SECONDS);
        assertThat(log).containsExactly("later");
    }

    @Test
    void stopOneKey() {
        alice.pause();
        Runnable task = () -> log.add("never");
        accounts.execute("alice", task);
        List<Runnable> taken = alice.cancelPending();
        alice.resume();
        result(alice.quiesce());
        assertThat(taken).containsExactly(task);
        assertThat(log).isEmpty();
    }

    @Test
    void handleFailures() {
        accounts.execute("alice", () -> {
            throw new IllegalStateException("expected");
        });
        result(alice.quiesce());
        assertThat(log).containsExactly("key accounts/alice");
        assertThat(failures).hasSize(1);
    }

    @Test
    void carryAContext() {
        ThreadLocal<@Nullable String> trace = new ThreadLocal<>();
        try (Spindle own = Spindle.builder()
                .taskDecorator(task -> {
                    String captured = trace.get();
                    return () -> {
                        trace.set(captured);
                        task.run();
                        trace.remove();
                    };
                })
                .build()) {
            trace.set("4711");
            assertThat(own.<String>keyed("accounts").submit("alice", trace::get).join())
                    .isEqualTo("4711");
        } finally {
            trace.remove();
        }
    }

    @Test
    void announceABlockingCall() {
        assertThat(result(accounts.submit("alice", () -> Spindle.callBlocking(() -> "row"))))
                .isEqualTo("row");
    }

    @Test
    void selectWithATimeout() throws Exception {
        Channel<String> jobs = Channel.buffered("jobs", 16);
        assertThat(Select.<String>fair()
                        .receive(jobs, job -> job)
                        .onTimeout(MS20, () -> "idle")
                        .await())
                .isEqualTo("idle");
    }

    private static final class Order {
        int amount;
        boolean checked;
    }

    @Test
    void threeStagesWithABatchConsumer() throws Exception {
        try (Pipeline<Order> orders = Pipeline.builder(spindle, "orders", Order::new)
                .capacity(8_192)
                .stage("check", order -> order.checked = true)
                .stage("book", order -> order.amount++)
                .stage("log", (order, sequence, last) -> log.add(order.checked ? order.amount : "unchecked"))
                .build()) {
            orders.publish(order -> order.amount = 41);
            result(orders.drain());
        }
        assertThat(log).containsExactly(42);
    }

    @Test
    void fanOutToThreeWithADeadline() {
        ScatterGatherBuilder<Long> all = ScatterGather.builder();
        Part<String> user = all.add(Endpoint.create(
                spindle, "users", (Long id, Attempt attempt) -> CompletableFuture.completedFuture("user " + id)));
        Part<Integer> orders = all.add(
                Endpoint.create(spindle, "orders", (Long id, Attempt attempt) -> CompletableFuture.completedFuture(3)));
        Part<Integer> ads = all.add(
                Endpoint.create(spindle, "ads", (Long id, Attempt attempt) -> CompletableFuture.completedFuture(1)));
        Outcome<Gathered> page = result(all.build().call(7L, Deadline.after(spindle, S1.multipliedBy(30))));
        assertThat(page.orThrow().value(user)).isEqualTo("user 7");
        assertThat(page.orThrow().value(orders) + page.orThrow().value(ads)).isEqualTo(4);
    }

    @Test
    void retryWithBackoff() {
        Endpoint<Long, String> users = Endpoint.builder(spindle, "users", (Long id, Attempt attempt) -> {
                    if (attempt.number() == 1) {
                        throw new IllegalStateException("expected");
                    }
                    return CompletableFuture.completedFuture("user " + id);
                })
                .maxConcurrency(32)
                .capacity(100)
                .idempotent(id -> true)
                .retries(2)
                .backoff(MS20, S1)
                .build();
        assertThat(result(users.call(7L, Deadline.after(spindle, S1.multipliedBy(30))))
                        .orThrow())
                .isEqualTo("user 7");
    }

    @Test
    void testOrderedCode() {
        Simulation.explore(99, run -> {
            List<Integer> order = new ArrayList<>();
            Lane lane = run.spindle().keyed("a").at("alice");
            lane.execute(() -> order.add(1));
            var later = lane.schedule(() -> order.add(2), 1, TimeUnit.SECONDS);
            run.advance(S1);
            assertThat(later.isDone()).isTrue();
            assertThat(order).containsExactly(1, 2);
        });
    }

    private sealed interface Message {}

    private record Add(int amount) implements Message {}

    private record Total(CompletableFuture<Integer> reply) implements Message {}

    private static final class Counter implements Actor<Message> {
        private int sum;

        @Override
        public void receive(Message message, ActorContext<Message> self) {
            if (message instanceof Add add) {
                sum += add.amount();
            } else if (message instanceof Total total) {
                total.reply().complete(sum);
            }
        }
    }

    @Test
    void actorWithABoundedMailboxThatIsAsked() throws InterruptedException {
        Actors actors = Actors.create(spindle);
        ActorRef<Message> counter =
                actors.actorBuilder("counter", Counter::new).capacity(256).build();
        counter.send(new Add(3));
        counter.send(new Add(4));
        int sum = counter.ask(Total::new, S1.multipliedBy(30)).join();
        assertThat(sum).isEqualTo(7);
        actors.close();
    }

    @Test
    void readWhatWaits() {
        LogicalExecutor jdbc = spindle.executor("jdbc", 1);
        alice.pause();
        accounts.execute("alice", () -> {});
        assertThat(spindle.stats().pending()).isEqualTo(1);
        assertThat(jdbc.stats().pending()).isZero();
        assertThat(alice.activity().pending()).isEqualTo(1);
        alice.resume();
    }
}
