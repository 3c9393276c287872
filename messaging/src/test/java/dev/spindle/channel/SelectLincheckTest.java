// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.channel;

import dev.spindle.internal.LincheckSettings;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Validate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

/**
 * Selects over two channels in different orders, plain calls and withdrawals, in every interleaving: each select
 * commits one clause, no clause waits while a partner waits, and no clause of a completed select is left.
 */
@Tag("lincheck")
@EnabledForJreRange(max = JRE.JAVA_17, disabledReason = "Lincheck explores nothing on newer ones, without saying so")
public class SelectLincheckTest {
    private final Channel<Integer> one = Channel.rendezvous("one");
    private final Channel<Integer> two = Channel.buffered("two", 1);
    private final AtomicInteger sent = new AtomicInteger();
    private final AtomicInteger received = new AtomicInteger();
    private final AtomicInteger waiting = new AtomicInteger(); // the number of selects

    public SelectLincheckTest() {
        boolean unused = two.offer(0);
        sent.incrementAndGet();
    }

    private Select<Integer> receives() {
        return Select.<Integer>biased().receive(one, value -> value).receive(two, value -> value);
    }

    private Select<Integer> sends() {
        return Select.<Integer>biased().send(two, 1, () -> 1).send(one, 1, () -> 1);
    }

    private void count(CompletableFuture<Integer> select, AtomicInteger done) {
        waiting.incrementAndGet();
        CompletableFuture<?> unused = select.thenRun(() -> {
            waiting.decrementAndGet();
            done.incrementAndGet();
        });
    }

    @Operation
    public void selectReceives() {
        count(receives().awaitAsync(), received);
    }

    @Operation
    public void selectSends() {
        count(sends().awaitAsync(), sent);
    }

    @Operation
    public void selectReceivesAndWithdraws() {
        if (!receives().awaitAsync().cancel(false)) {
            received.incrementAndGet();
        }
    }

    @Operation
    public void selectSendsAndWithdraws() {
        if (!sends().awaitAsync().cancel(false)) {
            sent.incrementAndGet();
        }
    }

    @Operation
    public void offerOne() {
        if (one.offer(1)) {
            sent.incrementAndGet();
        }
    }

    @Operation
    public void pollTwo() {
        if (two.poll() != null) {
            received.incrementAndGet();
        }
    }

    @Validate
    public void eachSelectCommittedOneClause() {
        long left = two.stats().pending();
        LincheckSettings.check(
                sent.get() == received.get() + left, sent + " sent, " + received + " received, " + left + " left");
        LincheckSettings.check(
                one.core().waitingSenders() == 0 || one.core().waitingReceivers() == 0,
                "a sender waits beside a receiver");
        LincheckSettings.check(two.core().waitingReceivers() == 0 || left == 0, "a receiver waits beside a value");
        LincheckSettings.check(two.core().waitingSenders() == 0 || left == 1, "a sender waits beside room");
        int clauses = one.core().waitingSenders()
                + one.core().waitingReceivers()
                + two.core().waitingSenders()
                + two.core().waitingReceivers();
        LincheckSettings.check(clauses == 2 * waiting.get(), waiting + " wait, with " + clauses + " clauses");
    }

    @Test
    void c1_selectsInEveryInterleaving_commitExactlyOneClause() {
        LincheckSettings.assertionsOnly()
                .iterations(LincheckSettings.drawn(3))
                .addCustomScenario(
                        LincheckSettings.scenario(SelectLincheckTest.class, "", "selectSends", "selectReceives"))
                .addCustomScenario(LincheckSettings.scenario(
                        SelectLincheckTest.class, "", "selectSends", "selectReceives selectReceives"))
                .check(SelectLincheckTest.class);
    }
}
