// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.examples.bank;

import dev.spindle.Spindle;
import dev.spindle.actor.Actor;
import dev.spindle.actor.ActorContext;
import dev.spindle.actor.ActorRef;
import dev.spindle.actor.Actors;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;

/**
 * Transfers money between accounts that are actors. An account subtracts the amount from its balance, and tells the
 * other account to add the amount. The mailboxes are deliberately small, so that accounts with full mailboxes wait for
 * each other in cycles.
 */
final class Bank {
    private static final Duration LIMIT = Duration.ofSeconds(20);

    private final int accounts;
    private final int tellers;
    private final int transfers;
    private final int capacity;

    /**
     * @param accounts the number of accounts
     * @param tellers the number of threads that order transfers
     * @param transfers the number of transfers per teller
     * @param capacity the capacity of an account's mailbox
     */
    Bank(int accounts, int tellers, int transfers, int capacity) {
        this.accounts = accounts;
        this.tellers = tellers;
        this.transfers = transfers;
        this.capacity = capacity;
    }

    private sealed interface Order permits Transfer, Deposit, Balance {}

    private record Transfer(ActorRef<Order> to, long cents) implements Order {}

    private record Deposit(long cents) implements Order {}

    private record Balance(CompletableFuture<Long> reply) implements Order {}

    /**
     * @param paid the number of transfers that were paid
     * @param refused the number of transfers that exceeded the balance
     * @param before the sum of all balances before the transfers
     * @param after the sum of all balances after the transfers
     * @param overdrafts the number of messages admitted to full mailboxes to break such cycles
     */
    record Result(long paid, long refused, long before, long after, long overdrafts) {
        boolean isSound(long ordered) {
            return before == after && paid + refused == ordered;
        }
    }

    /** An account. The balance is a plain field, because an actor handles one message at a time. */
    private static final class Account implements Actor<Order> {
        private final CountDownLatch open;
        private final LongAdder paid;
        private final LongAdder refused;
        private long cents;

        Account(long cents, CountDownLatch open, LongAdder paid, LongAdder refused) {
            this.cents = cents;
            this.open = open;
            this.paid = paid;
            this.refused = refused;
        }

        @Override
        public void receive(Order order, ActorContext<Order> self) {
            if (order instanceof Transfer transfer) {
                if (transfer.cents() > cents) {
                    refused.increment();
                    open.countDown();
                } else {
                    cents -= transfer.cents();
                    self.tell(transfer.to(), new Deposit(transfer.cents())); // a tell neither blocks nor is dropped
                }
            } else if (order instanceof Deposit deposit) {
                cents += deposit.cents();
                paid.increment();
                open.countDown();
            } else if (order instanceof Balance balance) {
                boolean unused = balance.reply().complete(cents);
            }
        }
    }

    Result run() throws InterruptedException {
        return run(step -> {});
    }

    /** Transfers the money, and tells each step. */
    Result run(Consumer<String> steps) throws InterruptedException {
        CountDownLatch open = new CountDownLatch(tellers * transfers);
        LongAdder paid = new LongAdder();
        LongAdder refused = new LongAdder();
        long each = 100_000;
        long after = 0;
        try (Spindle spindle = Spindle.create();
                Actors bank = Actors.create(spindle)) {
            List<ActorRef<Order>> all = new ArrayList<>();
            for (int i = 0; i < accounts; i++) {
                all.add(bank.<Order>actorBuilder("account-" + i, () -> new Account(each, open, paid, refused))
                        .capacity(capacity)
                        .build());
            }
            steps.accept(String.format(
                    Locale.ROOT,
                    "%,d accounts are open, with %,d.00 each; a mailbox has room for %d messages.",
                    accounts,
                    each / 100,
                    capacity));
            steps.accept(
                    String.format(Locale.ROOT, "%d tellers order %,d transfers.", tellers, (long) tellers * transfers));
            steps.accept(
                    "Accounts with full mailboxes will wait for each other in a cycle, which would never end: Spindle"
                            + " finds it and lets one message in.");
            steps.accept("The first such message is logged as a warning, which is expected here.");
            List<Thread> threads = new ArrayList<>();
            for (int t = 0; t < tellers; t++) {
                SplittableRandom random = new SplittableRandom(t);
                Thread thread = new Thread(() -> order(all, random), "teller-" + t);
                threads.add(thread);
                thread.start();
            }
            for (Thread thread : threads) {
                thread.join();
            }
            steps.accept("The tellers have ordered everything; transfers under way end.");
            open.await();
            steps.accept("Every transfer has ended; each account is asked for its balance.");
            for (ActorRef<Order> account : all) {
                after += account.<Long>ask(Balance::new, LIMIT)
                        .toCompletableFuture()
                        .join();
            }
            steps.accept(String.format(
                    Locale.ROOT,
                    "The balances add up to %,d.00; at first it was %,d.00.",
                    after / 100,
                    each * accounts / 100));
            return new Result(
                    paid.sum(),
                    refused.sum(),
                    each * accounts,
                    after,
                    bank.stats().overdrafts());
        }
    }

    private void order(List<ActorRef<Order>> all, SplittableRandom random) {
        try {
            for (int i = 0; i < transfers; i++) {
                ActorRef<Order> from = all.get(random.nextInt(accounts));
                from.send(new Transfer(all.get(random.nextInt(accounts)), random.nextInt(1, 50_000)));
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException("a teller was interrupted", e);
        }
    }
}
