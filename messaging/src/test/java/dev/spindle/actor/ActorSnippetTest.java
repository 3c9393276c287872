// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.actor;

import static dev.spindle.TestSupport.resultOf;
import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.Spindle;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** The snippet of docs/messaging.md, which contains the lines between the marker comments verbatim. */
@SuppressWarnings("FutureReturnValueIgnored") // the tests see the ends by other means
class ActorSnippetTest {
    interface Message {}

    // snippet: actor-answers
    record Add(int amount) implements Message {}

    record Total(CompletableFuture<Integer> reply) implements Message {}

    static final class Counter implements Actor<Message> {
        private int sum; // no lock: one message at a time

        @Override
        public void receive(Message message, ActorContext<Message> self) {
            if (message instanceof Add add) {
                sum += add.amount();
            } else if (message instanceof Total total) {
                total.reply().complete(sum); // or completeExceptionally(cause)
            }
        }
    }
    // end

    @Test
    void actors_counterThatIsAsked_answersWithItsSum() throws Exception {
        List<String> out = new ArrayList<>();
        try (Spindle spindle = Spindle.create();
                Actors actors = Actors.create(spindle)) {
            // snippet: actors
            ActorRef<Message> counter = actors.<Message>actorBuilder("counter", Counter::new)
                    .capacity(256)
                    .supervision(Supervision.restart(10, Duration.ofMinutes(1)))
                    .build();

            counter.send(new Add(3)); // from any thread; waits while the mailbox is full
            boolean room = counter.offer(new Add(4)); // never waits

            CompletableFuture<Integer> total = counter.ask(Total::new, Duration.ofSeconds(1));
            total.thenAccept(sum -> out.add("total " + sum));
            // end
            assertThat(room).isTrue();
            assertThat(resultOf(total)).isEqualTo(7);
        }
        assertThat(out).containsExactly("total 7");
    }
}
