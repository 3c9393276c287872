// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.spring;

import static dev.spindle.spring.Contexts3And4.refusal;
import static dev.spindle.spring.Contexts3And4.runner;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.spindle.Spindle;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

@Timeout(60)
class KeyedAsyncTest {
    record Order(@Nullable String account, int number) {}

    static class Orders {
        final List<String> done = Collections.synchronizedList(new ArrayList<>());
        final CountDownLatch begun = new CountDownLatch(1);
        final CountDownLatch go = new CountDownLatch(1);

        // A proxy has no fields.
        public List<String> done() {
            return done;
        }

        public CountDownLatch begun() {
            return begun;
        }

        public CountDownLatch go() {
            return go;
        }

        @KeyedAsync(key = "#order.account")
        public CompletableFuture<String> book(Order order) throws Exception {
            if (order.number() < 0) {
                throw new java.io.IOException("number " + order.number());
            }
            done.add(order.account() + order.number());
            return CompletableFuture.completedFuture(Thread.currentThread().getName());
        }

        @KeyedAsync(key = "#p0")
        public CompletionStage<@Nullable String> none(String account) {
            done.add(account);
            return NOTHING;
        }

        @KeyedAsync(key = "#account")
        public void block(String account) throws Exception {
            begun.countDown();
            go.await();
        }

        @KeyedAsync(key = "#account")
        public void fail(String account) throws Exception {
            throw new java.io.IOException("of " + account);
        }

        @KeyedAsync(key = "#account")
        public CompletableFuture<String> until(String account, CompletableFuture<String> stage) {
            done.add("open");
            return stage;
        }

        @KeyedAsync(key = "#account", mode = KeyedAsync.Mode.COALESCING)
        public CompletableFuture<Integer> refresh(String account, int version) {
            done.add("refresh " + version);
            return CompletableFuture.completedFuture(version);
        }

        @KeyedAsync(key = "#account", mode = KeyedAsync.Mode.COALESCING)
        public CompletableFuture<String> refreshUntil(String account, CompletableFuture<String> stage) {
            done.add("open");
            return stage;
        }

        @KeyedAsync(key = "#account", mode = KeyedAsync.Mode.COALESCING)
        public void draw(String account, int version) {
            done.add("draw " + version);
        }

        @SuppressWarnings("NullAway") // what an application may return
        private static final CompletionStage<@Nullable String> NOTHING = null;
    }

    private static ApplicationContextRunner orders(String... more) {
        return runner("pools.main.max-threads=8").withPropertyValues(more).withBean(Orders.class);
    }

    @Test
    void sequential_callsOfAKey_runInOrderOnThePool() {
        orders().run(context -> {
            Orders orders = context.getBean(Orders.class);
            List<String> expected = new ArrayList<>();
            CompletableFuture<String> last = CompletableFuture.completedFuture("");
            for (int i = 0; i < 1_000; i++) {
                last = orders.book(new Order("a", i));
                expected.add("a" + i);
            }

            assertThat(last.get(20, TimeUnit.SECONDS)).startsWith("main-");
            assertThat(orders.done()).isEqualTo(expected);
        });
    }

    @Test
    void sequential_openStage_holdsTheKeyAndNoThread() {
        orders().run(context -> {
            Orders orders = context.getBean(Orders.class);
            CompletableFuture<String> stage = new CompletableFuture<>();
            CompletableFuture<String> first = orders.until("a", stage);
            CompletableFuture<String> second = orders.book(new Order("a", 2));
            orders.book(new Order("b", 3)).get(20, TimeUnit.SECONDS);

            assertThat(second).isNotDone();
            stage.complete("x");
            assertThat(first.get(20, TimeUnit.SECONDS)).isEqualTo("x");
            second.get(20, TimeUnit.SECONDS);
            assertThat(orders.done())
                    .containsExactlyInAnyOrder("open", "b3", "a2")
                    .endsWith("a2");
        });
    }

    @Test
    void sequential_nullStage_completesWithNull() {
        orders().run(context -> assertThat(context.getBean(Orders.class)
                        .none("a")
                        .toCompletableFuture()
                        .get(20, TimeUnit.SECONDS))
                .isNull());
    }

    @Test
    void failure_ofAFuture_isThatOfTheMethod() {
        orders().run(context -> assertThatThrownBy(() ->
                        context.getBean(Orders.class).book(new Order("a", -4)).get(20, TimeUnit.SECONDS))
                .isInstanceOf(ExecutionException.class)
                .hasRootCauseMessage("number -4"));
    }

    @Test
    void failure_ofAMethodWithoutFuture_goesToTheFailureHandler() {
        CompletableFuture<String> seen = new CompletableFuture<>();
        orders().withBean(
                        SpindleCustomizer.class,
                        () -> (pool, builder) -> builder.onFailure(
                                (activity, failure) -> seen.complete(activity.owner() + ": " + failure.getMessage())))
                .run(context -> {
                    context.getBean(Orders.class).fail("a");

                    assertThat(seen.get(20, TimeUnit.SECONDS)).isEqualTo("key Orders/a: of a");
                });
    }

    @Test
    void coalescing_callsThatWait_areSupersededByTheLast() {
        orders().run(context -> {
            Orders orders = context.getBean(Orders.class);
            orders.block("a");
            orders.begun().await();
            CompletableFuture<Integer> first = orders.refresh("a", 1);
            orders.draw("a", 1);
            CompletableFuture<Integer> second = orders.refresh("a", 2);
            orders.draw("a", 2); // another method supersedes nothing
            orders.go().countDown();

            assertThat(second.get(20, TimeUnit.SECONDS)).isEqualTo(2);
            assertThat(first).isCancelled();
            assertThat(first.handle((value, failure) -> String.valueOf(failure))
                            .get()) // join of JDK 25 throws it as a cause
                    .contains("CancellationException", "Orders.refresh for key a superseded this one");
            context.getBean(Spindle.class).keyed("Orders").quiesce().get(20, TimeUnit.SECONDS);
            assertThat(orders.done()).containsExactlyInAnyOrder("refresh 2", "draw 2");
        });
    }

    @Test
    void coalescing_openStage_holdsTheKey() {
        orders().run(context -> {
            Orders orders = context.getBean(Orders.class);
            CompletableFuture<String> stage = new CompletableFuture<>();
            CompletableFuture<String> first = orders.refreshUntil("a", stage);
            CompletableFuture<String> second = orders.book(new Order("a", 2));
            orders.book(new Order("b", 3)).get(20, TimeUnit.SECONDS);
            assertThat(second).isNotDone();
            assertThat(first).isNotDone();

            stage.complete("x");
            assertThat(first.get(20, TimeUnit.SECONDS)).isEqualTo("x");
            second.get(20, TimeUnit.SECONDS);
        });
    }

    @Test
    void coalescing_cancelledFuture_withdrawsTheCall() {
        orders().run(context -> {
            Orders orders = context.getBean(Orders.class);
            orders.block("a");
            orders.begun().await();
            assertThat(orders.refresh("a", 1).cancel(false)).isTrue();
            orders.go().countDown();

            context.getBean(Spindle.class).keyed("Orders").quiesce().get(20, TimeUnit.SECONDS);
            assertThat(orders.done()).isEmpty();
        });
    }

    @Test
    void key_nullOrOfAFault_failsTheFutureOrThrows() {
        orders().run(context -> {
            Orders orders = context.getBean(Orders.class);

            assertThat(orders.book(new Order(null, 1)))
                    .isCompletedExceptionally()
                    .failsWithin(java.time.Duration.ZERO)
                    .withThrowableThat()
                    .withMessageContaining("the key #order.account of Orders.book is null");
            assertThatThrownBy(() -> orders.draw(nothing(), 1))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("Orders.draw is null");
        });
    }

    @SuppressWarnings("NullAway") // what an application may pass
    private static String nothing() {
        return null;
    }

    @Test
    void call_afterTheEnd_isRejected() throws Exception {
        Orders[] orders = new Orders[1];
        orders().run(context -> orders[0] = context.getBean(Orders.class));

        assertThat(orders[0].book(new Order("a", 1))).isCompletedExceptionally();
        assertThatThrownBy(() -> orders[0].draw("a", 1)).isInstanceOf(RejectedExecutionException.class);
    }

    static class WrongName {
        @KeyedAsync(key = "#ordr.account")
        public void book(Order order) {}
    }

    static class EmptyKey {
        @KeyedAsync(key = " ")
        public void book(Order order) {}
    }

    static class Malformed {
        @KeyedAsync(key = "#order.")
        public void book(Order order) {}
    }

    static class WrongResult {
        @KeyedAsync(key = "#order")
        public int book(Order order) {
            return 1;
        }
    }

    static class FinalMethod {
        @KeyedAsync(key = "#order")
        public final void book(Order order) {}
    }

    static class NoSuchPool {
        @KeyedAsync(key = "#order", pool = "mail")
        public void book(Order order) {}
    }

    @Test
    void annotation_thatCannotHold_isRefusedAtTheStart() {
        refusal(runner("pools.main.max-threads=8").withBean(WrongName.class))
                .hasMessageContaining("WrongName.book")
                .hasMessageContaining("#ordr")
                .hasMessageContaining("[order]");
        refusal(runner("pools.main.max-threads=8").withBean(EmptyKey.class)).hasMessageContaining("the key is empty");
        refusal(runner("pools.main.max-threads=8").withBean(Malformed.class))
                .hasMessageContaining("is not an expression");
        refusal(runner("pools.main.max-threads=8").withBean(WrongResult.class)).hasMessageContaining("returns int");
        refusal(runner("pools.main.max-threads=8").withBean(FinalMethod.class)).hasMessageContaining("final");
        refusal(runner("pools.main.max-threads=8").withBean(NoSuchPool.class))
                .hasMessageContaining("there is no pool mail")
                .hasMessageContaining("[main]")
                .hasMessageContaining("spindle.pools.mail.max-threads");
        refusal(runner().withBean(Orders.class)).hasMessageContaining("there is no pool: set a property");
        refusal(orders("spindle.pools.mail.max-threads=3"))
                .hasMessageContaining("several pools, [mail, main]")
                .hasMessageContaining("pool = \"mail\"");
    }
}
