// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.Spindle;
import dev.spindle.kafka.Call.Outcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The order of the calls, their attempts, and what follows the last one. */
class CallsTest extends CallsInMemory {
    @Test
    void records_ofOneKey_runInOrderThroughFailedAttempts() {
        Calls<String, String> calls = calls(record -> {
            handled.add(record.value() + record.attempt());
            if (record.attempt() < 3 && !"b".equals(record.value())) {
                throw new Exception("again");
            }
        });
        submit(calls, "k", "a");
        submit(calls, "k", "b");
        submit(calls, "k", "c");

        awaitReturned(3);
        assertThat(handled).containsExactly("a1", "a2", "a3", "b1", "c1", "c2", "c3");
        assertThat(outcomes.values()).containsOnly(Outcome.DONE);
        assertThat(aside).hasValue(0);
    }

    @Test
    void error_ofAHandler_isAFailedAttempt() {
        Calls<String, String> calls = calls(record -> {
            if (record.attempt() == 1) {
                throw new StackOverflowError("on purpose");
            }
        });
        submit(calls, "k", "a");

        awaitReturned(1);
        assertThat(outcomes).containsEntry(0L, Outcome.DONE);
        assertThat(calls.failedAttempts.sum()).isEqualTo(1);
    }

    /** Two hundred records that always fail, on a spindle with eight threads. */
    @Test
    void q3_failingRecords_whileTheyWait_holdNoThread() {
        retries.setBackoff(Duration.ofSeconds(5), Duration.ofSeconds(5));
        Calls<String, String> calls = calls(record -> {
            if ("bad".equals(record.value())) {
                throw new Exception("always");
            }
        });
        for (int i = 0; i < 200; i++) {
            submit(calls, "bad" + i, "bad");
        }
        for (int i = 0; i < 8_000; i++) {
            submit(calls, "good" + i, "good");
        }

        awaitReturned(8_000);
        Eventually.until(() -> aside.get() == 200, aside::get);
        fenced.set(true);
        calls.kickAll();
        awaitReturned(8_200);
        Eventually.until(() -> aside.get() == 0, aside::get);
    }

    /** As many calls as threads need no limit of their own, until there are more threads. */
    @Test
    void maxConcurrency_ofAllThreads_holdsWhenThereAreMore() {
        CountDownLatch release = new CountDownLatch(1);
        Calls<String, String> calls = new Calls<>(
                spindle,
                "test",
                8,
                record -> {
                    handled.add(String.valueOf(record.value()));
                    Spindle.callBlocking(() -> {
                        Eventually.await(release);
                        return null;
                    });
                },
                null,
                false,
                retries,
                null);
        spindle.setMaxThreads(24);
        calls.limit();
        for (int i = 0; i < 24; i++) {
            submit(calls, "k" + i, "a");
        }
        CountDownLatch others = new CountDownLatch(8); // of the same threads
        for (int i = 0; i < 8; i++) {
            spindle.execute(others::countDown);
        }

        Eventually.await(others);
        Eventually.until(() -> handled.size() == 8, handled::size);
        release.countDown();
        awaitReturned(24);
    }

    @Test
    void recordWithoutKey_whileAnotherIsStuck_isHandled() {
        CountDownLatch release = new CountDownLatch(1);
        Calls<String, String> calls = calls(record -> {
            if ("stuck".equals(record.value())) {
                Eventually.await(release);
            }
        });
        submit(calls, null, "stuck");
        submit(calls, null, "free");

        awaitReturned(1);
        release.countDown();
        awaitReturned(2);
    }

    @Test
    void lastAttempt_underSkip_isDone() {
        retries.maxAttempts = 2;
        retries.afterFailure = FailurePolicy.skip();
        Calls<String, String> calls = calls(record -> {
            throw new Exception("always");
        });
        submit(calls, "k", "a");

        awaitReturned(1);
        assertThat(outcomes).containsEntry(0L, Outcome.SKIPPED);
        assertThat(calls.failedAttempts.sum()).isEqualTo(2);
    }

    @Test
    void terminalFailure_isNotRepeated() {
        retries.terminal = failure -> failure instanceof IllegalStateException;
        retries.afterFailure = FailurePolicy.skip();
        Calls<String, String> calls = calls(record -> {
            throw new IllegalStateException("final");
        });
        submit(calls, "k", "a");

        awaitReturned(1);
        assertThat(calls.failedAttempts.sum()).isEqualTo(1);
    }

    @Test
    void parkedKey_keepsLaterRecordsOfTheKey_andNoOthers() {
        retries.maxAttempts = 1;
        retries.afterFailure = FailurePolicy.parkKey();
        Calls<String, String> calls = calls(record -> {
            handled.add(String.valueOf(record.value()));
            if ("bad".equals(record.value())) {
                throw new Exception("always");
            }
        });
        submit(calls, "k", "bad");
        submit(calls, "k", "later");
        submit(calls, "other", "good");

        awaitReturned(3);
        assertThat(outcomes)
                .containsEntry(0L, Outcome.PARKED)
                .containsEntry(1L, Outcome.PARKED)
                .containsEntry(2L, Outcome.DONE);
        assertThat(handled).containsExactlyInAnyOrder("bad", "good");
        assertThat(calls.parkedKeys()).isEqualTo(1);
    }

    /** A partition that was assigned anew delivers the records again. */
    @Test
    void parkedKey_whenItsSourceIsFenced_isFree() {
        retries.maxAttempts = 1;
        retries.afterFailure = FailurePolicy.parkKey();
        Calls<String, String> calls = calls(record -> {
            if ("bad".equals(record.value())) {
                throw new Exception("always");
            }
        });
        submit(calls, "k", "bad");
        awaitReturned(1);
        fenced.set(true);
        submit(calls, "k", "again", () -> false);

        awaitReturned(2);
        assertThat(outcomes).containsEntry(1L, Outcome.DONE);
        assertThat(calls.parkedKeys()).isZero();
    }

    @Test
    void stop_isReported_andTheRecordIsNotDone() {
        retries.maxAttempts = 1;
        Calls<String, String> calls = calls(record -> {
            throw new Exception("cause");
        });
        submit(calls, "k", "a");

        Eventually.until(() -> calls.fatal() != null, () -> "no failure");
        assertThat(calls.fatal()).hasMessageContaining("topic-0@0").hasRootCauseMessage("cause");
        assertThat(outcomes).containsEntry(0L, Outcome.PARKED);
    }

    @Test
    void deadLetter_thatIsRefused_isSentAgainAndHoldsItsKeyAlone() {
        retries.maxAttempts = 1;
        retries.afterFailure = FailurePolicy.deadLetter("dead");
        Calls<String, String> calls = calls(record -> {
            if ("bad".equals(record.value())) {
                throw new Exception("always");
            }
        });
        submit(calls, "k", "bad");
        submit(calls, "k", "later");
        submit(calls, "other", "good");

        for (int refusals = 1; refusals <= 3; refusals++) {
            Eventually.until(() -> !letters.isEmpty(), () -> outcomes);
            awaitReturned(1);
            letters.remove().accept(new IllegalStateException("refused"));
        }
        Eventually.until(() -> !letters.isEmpty(), () -> outcomes);
        Consumer<@Nullable Throwable> last = letters.remove();
        last.accept(null);
        awaitReturned(3);
        assertThat(outcomes)
                .containsEntry(0L, Outcome.DEAD_LETTER)
                .containsEntry(1L, Outcome.DONE)
                .containsEntry(2L, Outcome.DONE);
        assertThat(calls.refusedDeadLetters.sum()).isEqualTo(3);
        assertThat(letters).isEmpty();
    }

    @Test
    void fencedRecord_thatHasNotBegun_doesNotBegin() {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        Calls<String, String> calls = calls(record -> {
            handled.add(String.valueOf(record.value()));
            begun.countDown();
            Eventually.await(release);
        });
        submit(calls, "k", "old");
        submit(calls, "k", "waits");
        Eventually.await(begun);
        fenced.set(true);
        submit(calls, "k", "new", () -> false);
        release.countDown();

        awaitReturned(3);
        assertThat(handled).containsExactly("old", "new");
        assertThat(outcomes).containsEntry(1L, Outcome.FENCED);
    }

    @Test
    void fencedRecord_thatWaitsForItsNextAttempt_makesRoomAtOnce() {
        retries.setBackoff(Duration.ofHours(1), Duration.ofHours(1));
        Calls<String, String> calls = calls(record -> {
            handled.add(String.valueOf(record.value()));
            if ("old".equals(record.value())) {
                throw new Exception("again");
            }
        });
        submit(calls, "k", "old");
        Eventually.until(() -> aside.get() == 1, aside::get);
        fenced.set(true);
        calls.kickAll();
        submit(calls, "k", "new", () -> false);

        awaitReturned(2);
        assertThat(handled).containsExactly("old", "new");
        assertThat(outcomes).containsEntry(0L, Outcome.FENCED).containsEntry(1L, Outcome.DONE);
    }

    @Test
    void record_whileTheMembershipIsInDoubt_isHeldInOrder() {
        certain.set(false);
        Calls<String, String> calls = calls(record -> handled.add(String.valueOf(record.value())));
        submit(calls, "k", "a");
        submit(calls, "k", "b");
        Eventually.until(() -> aside.get() == 2, aside::get);
        assertThat(handled).isEmpty();
        assertThat(calls.hasHeld()).isTrue();

        certain.set(true);
        calls.releaseHeld();
        awaitReturned(2);
        assertThat(handled).containsExactly("a", "b");
    }

    @Test
    void coalescing_whileACallRuns_handlesTheNewestAlone() {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        List<Integer> superseded = new ArrayList<>();
        Calls<String, String> calls = new Calls<>(
                spindle,
                "test",
                100,
                record -> {
                    handled.add(String.valueOf(record.value()));
                    superseded.add(record.superseded());
                    begun.countDown();
                    Eventually.await(release);
                },
                null,
                true,
                retries,
                null);
        submit(calls, "k", "0");
        Eventually.await(begun);
        for (int i = 1; i <= 100; i++) {
            submit(calls, "k", String.valueOf(i));
        }
        release.countDown();

        awaitReturned(101);
        assertThat(handled).containsExactly("0", "100");
        assertThat(superseded).containsExactly(0, 99);
        assertThat(outcomes).containsEntry(100L, Outcome.DONE).containsEntry(99L, Outcome.SUPERSEDED);
    }

    @Test
    void coalescing_aRecordThatWaitsForItsNextAttempt_isSuperseded() {
        retries.setBackoff(Duration.ofSeconds(1), Duration.ofSeconds(1));
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        Calls<String, String> calls = new Calls<>(
                spindle,
                "test",
                100,
                record -> {
                    handled.add(record.value() + record.attempt());
                    if ("old".equals(record.value())) {
                        begun.countDown();
                        Eventually.await(release);
                        throw new Exception("again");
                    }
                },
                null,
                true,
                retries,
                null);
        submit(calls, "k", "old");
        Eventually.await(begun);
        submit(calls, "k", "new"); // its turn is the next one of the lane
        release.countDown();

        awaitReturned(2);
        assertThat(handled).containsExactly("old1", "new1");
        assertThat(outcomes).containsEntry(0L, Outcome.SUPERSEDED).containsEntry(1L, Outcome.DONE);
    }

    @Test
    void asyncCall_untilItsStageCompletes_holdsItsKeyAndNoThread() {
        Map<String, CompletableFuture<String>> stages = new ConcurrentHashMap<>();
        Calls<String, String> calls = new Calls<>(
                spindle,
                "test",
                1_000,
                null,
                record -> {
                    handled.add(String.valueOf(record.value()));
                    return stages.computeIfAbsent(String.valueOf(record.value()), value -> new CompletableFuture<>());
                },
                false,
                retries,
                null);
        for (int i = 0; i < 500; i++) { // more than there are threads
            submit(calls, "k" + i, "a" + i);
            submit(calls, "k" + i, "b" + i);
        }
        Eventually.until(() -> stages.size() == 500, stages::size);
        assertThat(handled).allMatch(value -> value.startsWith("a"));

        stages.forEach((value, stage) -> stage.complete(value));
        Eventually.until(() -> stages.size() == 1_000, stages::size);
        stages.values().forEach(stage -> stage.complete(""));
        awaitReturned(1_000);
    }

    @SuppressWarnings("NullAway") // on purpose
    private static CompletableFuture<String> noStage() {
        return null;
    }

    @Test
    void asyncCall_thatFailsInAnyWay_isAttemptedAgainInOrder() {
        Calls<String, String> calls = new Calls<>(
                spindle,
                "test",
                100,
                null,
                record -> {
                    handled.add(record.value() + record.attempt());
                    switch (record.attempt()) {
                        case 1 -> throw new Exception("thrown");
                        case 2 -> {
                            return CompletableFuture.failedFuture(new Exception("failed"));
                        }
                        case 3 -> {
                            return noStage();
                        }
                        default -> {
                            return CompletableFuture.completedFuture("");
                        }
                    }
                },
                false,
                retries,
                null);
        submit(calls, "k", "a");
        submit(calls, "k", "b");

        awaitReturned(2);
        assertThat(handled).containsExactly("a1", "a2", "a3", "a4", "b1", "b2", "b3", "b4");
        assertThat(outcomes.values()).containsOnly(Outcome.DONE);
    }
}
