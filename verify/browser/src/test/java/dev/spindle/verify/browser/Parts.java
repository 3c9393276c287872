// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.browser;

import dev.spindle.Spindle;
import dev.spindle.Unfinished;
import dev.spindle.actor.Actor;
import dev.spindle.actor.ActorContext;
import dev.spindle.actor.ActorRef;
import dev.spindle.actor.Actors;
import dev.spindle.channel.Channel;
import dev.spindle.flow.Attempt;
import dev.spindle.flow.Breaker;
import dev.spindle.flow.Deadline;
import dev.spindle.flow.Endpoint;
import dev.spindle.flow.Outcome;
import dev.spindle.pipeline.Pipeline;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/** An actor that falls behind, a channel, a pipeline with a slow stage, and an endpoint with a breaker. */
final class Parts implements AutoCloseable {
    private static final long SLOW_NANOS = 4_000_000;
    private static final Duration LIMIT = Duration.ofSeconds(2);

    private final Spindle spindle;
    private final Actors actors;
    private final ActorRef<String> audit;
    private final Channel<String> mails = Channel.buffered("mails", 100);
    private final Pipeline<AtomicLong> settlement;
    private final Breaker bank;
    private final Endpoint<Integer, String> payments;
    private final CompletableFuture<?> consumer;

    private static final class Audit implements Actor<String> {
        @Override
        public void receive(String line, ActorContext<String> self) {
            LockSupport.parkNanos(SLOW_NANOS);
        }
    }

    Parts(Spindle spindle) {
        this.spindle = spindle;
        actors = Actors.builder(spindle).onDrop((actor, message) -> {}).build();
        audit = actors.actorBuilder("audit", Audit::new).capacity(20_000).build();
        consumer = mails.forEach(spindle.strand("mailer"), mail -> {});
        settlement = Pipeline.builder(spindle, "settlement", AtomicLong::new)
                .capacity(4_096)
                .stage("journal", event -> {})
                .stage("replicate", event -> LockSupport.parkNanos(SLOW_NANOS))
                .stage("apply", event -> {})
                .build();
        bank = Breaker.create(spindle, "bank");
        payments = Endpoint.builder(spindle, "payments", (Integer amount, Attempt attempt) -> pay(amount))
                .maxConcurrency(8)
                .capacity(100)
                .breaker(bank)
                .build();
    }

    private CompletableFuture<String> pay(int amount) {
        CompletableFuture<String> answer = new CompletableFuture<>();
        Future<?> unused = spindle.schedule(() -> answer.complete("paid"), 5 + amount % 30, TimeUnit.MILLISECONDS);
        return answer;
    }

    /** Hands work to all parts; called every 5 ms. */
    void feed(int round) {
        boolean unused = audit.offer("round " + round) | audit.offer("again " + round) | mails.offer("mail " + round);
        unused |= settlement.offer(event -> event.set(round));
        if (round % 2 == 0) {
            CompletableFuture<Outcome<String>> unusedToo = payments.call(round, Deadline.after(spindle, LIMIT));
        }
    }

    /** Ends the parts without what waits in them. */
    @Override
    public void close() {
        CompletableFuture<Unfinished<Object>> messages = actors.halt();
        CompletableFuture<Unfinished<AtomicLong>> events = settlement.halt();
        CompletableFuture<Unfinished<String>> mail = mails.halt();
        CompletableFuture.allOf(messages, events, mail, consumer).join();
    }
}
