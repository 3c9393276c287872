// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle;

import static dev.spindle.TestSupport.result;
import static dev.spindle.TestSupport.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.spindle.TestSupport.Gate;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** K1, K2, K6 to K8, F4 and M1 in key spaces: equal keys of different spaces are unrelated. */
@Timeout(30)
@SuppressWarnings("FutureReturnValueIgnored") // the effects of the tasks are checked
class KeySpaceContractTest {
    @RegisterExtension
    final Spindles spindles = new Spindles();

    @Test
    void k2_equalKeysOfDifferentSpaces_doNotWaitForEachOther() {
        Spindle spindle = spindles.of(spindles.builder().coreThreads(2));
        Gate gate = new Gate();
        spindle.<Integer>keyed("accounts").execute(42, gate);
        gate.awaitEntered();

        result(spindle.<Integer>keyed("orders").submit(42, () -> "order"));
        result(spindle.<Integer>keyed("tasks").submit(42, () -> "third"));
        result(spindle.<Integer>keyed("orders").at(42).submit(() -> "by handle"));

        gate.open();
    }

    @Test
    void k2_strandAsAKey_namesALaneOfTheKeySpace() {
        Spindle spindle = spindles.of(spindles.builder().coreThreads(3));
        Strand strand = spindle.strand("db");
        Keyed<Object> keys = spindle.keyed("tasks");
        Gate ofStrand = new Gate();
        strand.execute(ofStrand);
        ofStrand.awaitEntered();

        assertThat(result(keys.submit(strand, strand::isCurrent))).isFalse();
        assertThat(result(keys.at(strand).submit(() -> "by handle"))).isEqualTo("by handle");
        assertThat(result(spindle.keyed("named").submit(strand, () -> "named"))).isEqualTo("named");
        result(keys.at(strand).schedule(() -> {}, 0, TimeUnit.NANOSECONDS));
        result(spindle.submit(new Tagged(strand)));

        Gate ofKey = new Gate();
        keys.execute(strand, ofKey);
        ofKey.awaitEntered();
        assertThat(keys.busiest(9)).extracting(Activity::key).containsExactly(strand);
        assertThat(keys.at(strand).key()).isSameAs(strand);
        strand.shutdownNow(); // neither refuses nor interrupts tasks of the key
        CompletableFuture<String> behind = keys.submit(strand, () -> "behind");
        assertThat(ofKey.isOpen()).isFalse();
        assertThat(behind).isNotDone();
        ofKey.open();
        assertThat(result(behind)).isEqualTo("behind");
    }

    private record Tagged(Object key) implements SequentialTask {
        @Override
        public void run() {}
    }

    @Test
    void k2_viewsOfOneName_areOneSpace() {
        Spindle spindle = spindles.of(spindles.builder().coreThreads(2));
        Keyed<String> one = spindle.keyed("accounts");
        Keyed<String> other = spindle.keyed(String.join("", "acc", "ounts"));
        List<Integer> order = new ArrayList<>(); // plain: written by one lane
        Gate gate = new Gate();
        one.execute("alice", gate);
        gate.awaitEntered();

        one.execute("alice", () -> order.add(1));
        other.at(String.join("", "al", "ice")).execute(() -> order.add(2));
        other.coalesce("alice", () -> order.add(3));
        one.at("alice").schedule(() -> order.add(4), 0, TimeUnit.NANOSECONDS);
        until(() -> one.at("alice").activity().pending() == 4);
        gate.open();
        result(other.at("alice").quiesce());

        assertThat(order).containsExactly(1, 2, 3, 4);
    }

    @Test
    void m1_statsOfASpace_areThoseOfItsKeysAlone() {
        Spindle spindle =
                spindles.of(spindles.builder().coreThreads(2).maxThreads(4).keyKeepAlive(Duration.ofMillis(1)));
        Keyed<String> keys = spindle.<String>keyedBuilder("accounts")
                .keyCapacity(9, OnFull.reject())
                .build();
        Lane other = spindle.keyed("others").at("alice");
        Gate gate = new Gate();
        CompletableFuture<String> answer = new CompletableFuture<>();
        keys.execute("alice", gate);
        gate.awaitEntered();
        keys.execute("alice", () -> {});
        for (int i = 0; i < 3; i++) {
            keys.coalesce("alice", () -> {});
        }
        keys.submitAsync("bob", () -> answer);
        other.pause();
        other.execute(() -> {});
        until(() -> keys.at("bob").activity().kind() == Activity.Kind.ASYNC);

        Stats stats = keys.stats();
        assertThat(stats.name()).isEqualTo("accounts");
        assertThat(stats.pending()).isEqualTo(2);
        assertThat(stats.running()).isEqualTo(2);
        assertThat(stats.superseded()).isEqualTo(2);
        assertThat(stats.capacity()).isEqualTo(9);
        assertThat(stats.accepted()).isZero();
        assertThat(spindle.keyed("others").stats().capacity()).isEqualTo(Integer.MAX_VALUE);
        gate.open();
        answer.complete("done");
        until(() -> spindle.stats().keys() == 1); // the paused one
        assertThat(keys.stats().pending()).isZero();
        assertThat(keys.stats().running()).isZero();
        assertThat(keys.stats().superseded()).as("of a key that is gone").isEqualTo(2);
        keys.setKeyCapacity(5, OnFull.reject());
        assertThat(keys.stats().capacity()).isEqualTo(5);
    }

    @Test
    void k1_keysThatCollide_areKeptApart() {
        Keyed<Object> keys = spindles.spindle().keyed("colliding");
        List<CompletableFuture<String>> all = new ArrayList<>();
        for (int i = 0; i < 2_000; i++) {
            String name = Integer.toBinaryString(0x10000 + i).replace("0", "Aa").replace("1", "BB"); // one hash
            all.add(keys.submit(name, () -> name));
            all.add(keys.submit(new Colliding(i), () -> name));
        }

        assertThat(all.stream().map(TestSupport::result).distinct()).hasSize(2_000);
    }

    private record Colliding(int number) {
        @Override
        public int hashCode() {
            return 7;
        }
    }

    @Test
    void k1_boxedNumberOfAnotherClass_isRefused() {
        Spindle spindle = spindles.spindle();
        Keyed<Object> keys = spindle.keyed("numbers");
        result(keys.submit(42, () -> {}));

        assertThatThrownBy(() -> keys.execute(42L, () -> {}))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll("numbers/42", "Long", "Integer");

        assertThat(result(keys.submit(43, () -> "the same class"))).isEqualTo("the same class");
        assertThat(result(keys.submit("42", () -> "no number"))).isEqualTo("no number");
        assertThat(result(spindle.<Long>keyed("others").submit(42L, () -> "elsewhere")))
                .isEqualTo("elsewhere");
    }

    @Test
    void k1_nullAndBlankNamesAndNullKeys_areRefused() {
        Spindle spindle = spindles.spindle();

        assertThatThrownBy(() -> spindle.keyed(TestSupport.<String>unsafeNull()))
                .isInstanceOf(NullPointerException.class)
                .hasMessageContaining("space");
        assertThatThrownBy(() -> spindle.keyed(" \t"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("\" \t\"");
        Keyed<Object> keys = spindle.keyed("space");
        assertThatThrownBy(() -> keys.execute(TestSupport.unsafeNull(), () -> {}))
                .isInstanceOf(NullPointerException.class)
                .hasMessageContaining("key");
        assertThatThrownBy(() -> keys.at(TestSupport.unsafeNull())).isInstanceOf(NullPointerException.class);
    }

    @Test
    void k1_keyCodeThatThrows_reachesTheSubmitter() {
        Spindle spindle = spindles.spindle();
        Object hostile = new Object() {
            @Override
            public int hashCode() {
                throw new IllegalStateException("hash");
            }
        };

        assertThatThrownBy(() -> spindle.keyed("space").execute(hostile, () -> {}))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("hash");
        assertThat(spindle.stats().accepted()).isZero();
    }

    @Test
    void k6_cycleOverTwoSpaces_isRefusedAndNamesThem() {
        Spindle spindle = spindles.of(spindles.builder().coreThreads(2));
        Keyed<Integer> accounts = spindle.keyed("accounts");
        Keyed<Integer> orders = spindle.keyed("orders");

        CompletableFuture<?> outer = accounts.submit(
                42,
                () -> orders.submit(
                                42, () -> accounts.submit(42, () -> "refused").get())
                        .get());

        assertThatThrownBy(() -> result(outer))
                .rootCause()
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("orders/42")
                .hasMessageContaining("accounts/42");
    }

    @Test
    void k7_quietKeyOfANamedSpace_isUnreachable() {
        Spindle spindle = spindles.of(spindles.builder().keyKeepAlive(Duration.ofMillis(5)));

        WeakReference<Object> key = useAndForget(spindle);

        until(() -> spindle.stats().keys() == 0);
        until(() -> {
            System.gc();
            return key.get() == null;
        });
    }

    private static WeakReference<Object> useAndForget(Spindle spindle) {
        Object key = new Object();
        for (int i = 0; i < 1_000; i++) {
            result(spindle.keyed("space " + i).submit(key, () -> "result"));
        }
        return new WeakReference<>(key);
    }

    @Test
    void k8_pauseAndCancelPending_meanTheKeyOfTheirSpaceAlone() {
        Spindle spindle = spindles.spindle();
        Keyed<String> accounts = spindle.keyed("accounts");
        Keyed<String> orders = spindle.keyed("orders");
        Runnable task = () -> {};
        accounts.at("key").pause();
        accounts.execute("key", task);

        result(orders.submit("key", () -> "runs"));

        assertThat(orders.at("key").cancelPending()).isEmpty();
        assertThatThrownBy(() -> orders.at("key").resume())
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("orders/key");
        assertThat(accounts.at("key").cancelPending()).containsExactly(task);
        accounts.at("key").resume();
        result(accounts.at("key").quiesce());
    }

    @Test
    void f4_boundPerKey_isPerKeyAndSpace() {
        Spindle spindle = spindles.spindle();
        Keyed<String> accounts = spindle.<String>keyedBuilder("accounts")
                .keyCapacity(1, OnFull.reject())
                .build();
        accounts.at("key").pause();
        accounts.execute("key", () -> {});

        spindle.<String>keyed("orders").execute("key", () -> {});
        spindle.<String>keyed("orders").execute("key", () -> {});
        accounts.execute("other", () -> {});

        assertThatThrownBy(() -> accounts.execute("key", () -> {}))
                .isInstanceOf(RejectedExecutionException.class)
                .hasMessageContaining("accounts/key");
        accounts.at("key").resume();
    }

    @Test
    void keyedBuilder_nameThatExists_isRefusedAndNamed() {
        Spindle spindle = spindles.spindle();
        Keyed<String> accounts = spindle.keyed("accounts");

        assertThatThrownBy(() -> spindle.<String>keyedBuilder("accounts")
                        .keyCapacity(1, OnFull.reject())
                        .build())
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("accounts");

        accounts.at("key").pause();
        accounts.execute("key", () -> {});
        accounts.execute("key", () -> {}); // still without a bound
        accounts.at("key").resume();
        assertThatThrownBy(() -> spindle.keyedBuilder(" ")).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void keyCapacity_badValue_isRefused() {
        Spindle spindle = spindles.spindle();

        assertThatThrownBy(() -> spindle.keyedBuilder("a").keyCapacity(0, OnFull.reject()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("keyCapacity must be at least 1, is 0");
        assertThatThrownBy(() -> spindle.keyed("a").setKeyCapacity(-5, OnFull.reject()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("keyCapacity must be at least 1, is -5");
        assertThatThrownBy(() -> spindle.keyed("a").setKeyCapacity(1, OnFull.callerRuns()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("CALLER_RUNS");
    }

    @Test
    void f4_setKeyCapacity_holdsForKeysThatExist() {
        Keyed<String> keys = spindles.spindle().keyed("keys");
        Callable<Integer> task = () -> 1;
        keys.at("key").pause();
        keys.submit("key", task); // without a bound, so not counted
        keys.setKeyCapacity(1, OnFull.reject());
        keys.submit("key", task);
        assertThatThrownBy(() -> keys.submit("key", task)).isInstanceOf(RejectedExecutionException.class);

        keys.setKeyCapacity(3, OnFull.reject());
        keys.submit("key", task);
        keys.submit("key", task);
        assertThatThrownBy(() -> keys.submit("key", task)).isInstanceOf(RejectedExecutionException.class);

        keys.setKeyCapacity(1, OnFull.dropOldest());
        keys.submit("key", task); // drops one of the three that hold a place
        assertThat(keys.at("key").activity().pending()).isEqualTo(4);

        keys.at("key").resume();
        result(keys.at("key").quiesce());
        keys.at("key").pause();
        keys.submit("key", task);
        keys.submit("key", task);
        assertThat(keys.at("key").activity().pending()).isEqualTo(1);
        keys.at("key").resume();
    }

    @Test
    void f4_largerKeyCapacity_admitsTheSubmitterThatWaits() throws Exception {
        Keyed<String> keys = spindles.spindle().keyed("keys");
        keys.setKeyCapacity(1, OnFull.block(Duration.ofMinutes(5)));
        keys.at("key").pause();
        keys.execute("key", () -> {});
        Thread submitter = new Thread(() -> keys.execute("key", () -> {}));
        submitter.start();
        until(() -> submitter.getState() == Thread.State.TIMED_WAITING);

        keys.setKeyCapacity(2, OnFull.reject());

        submitter.join();
        assertThat(keys.at("key").activity().pending()).isEqualTo(2);
        keys.at("key").resume();
    }

    @Test
    void k2_tasksThatCarryTheirKey_runInTheSpaceTasks() {
        Spindle spindle = spindles.spindle();
        spindle.keyed("tasks").at("key").pause();

        CompletableFuture<?> tagged = spindle.submit(new Tagged("key"));

        assertThat(spindle.keyed("tasks").at("key").activity().pending()).isEqualTo(1);
        spindle.keyed("tasks").at("key").resume();
        result(tagged);
    }

    @Test
    void d1_shutdown_runsAllSpaces() throws Exception {
        Spindle spindle = spindles.spindle();
        List<CompletableFuture<?>> all = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            Keyed<String> keys = spindle.keyed("space " + i % 10);
            keys.at("key").pause();
            all.add(keys.submit("key", () -> "result"));
        }

        spindle.shutdown();

        all.forEach(TestSupport::result);
        assertThatThrownBy(() -> spindle.<String>keyed("accounts").execute("key", () -> {}))
                .isInstanceOf(RejectedExecutionException.class)
                .hasMessageContaining("accounts/key");
    }

    @Test
    void m1_snapshotsAndBusiest_nameTheSpaceAndListNoOther() {
        Spindle spindle = spindles.spindle();
        for (String space : List.of("accounts", "orders", "refunds")) {
            spindle.<Integer>keyed(space).at(42).pause();
            spindle.<Integer>keyed(space).execute(42, () -> {});
        }

        assertThat(spindle.keyed("accounts").busiest(9))
                .singleElement()
                .satisfies(s -> assertThat(s.space()).isEqualTo("accounts"))
                .satisfies(s -> assertThat(s.key()).isEqualTo(42));
        assertThat(spindle.busiest(9))
                .extracting(Activity::space)
                .containsExactlyInAnyOrder("accounts", "orders", "refunds");
        Lane lane = spindle.<Integer>keyed("orders").at(42);
        assertThat(lane.key()).isEqualTo(42);
        assertThat(lane).hasToString("key orders/42");
        assertThat(lane.activity().space()).isEqualTo("orders");
        assertThat(spindle.keyed("unused").at(1).activity().space()).isEqualTo("unused");
    }
}
