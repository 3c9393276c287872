// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.Spindle;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The snippet of docs/messaging.md, which contains the lines between the marker comments verbatim. */
class PipelineSnippetTest {
    @Test
    void pipeline_fromJournalToAnswer_keepsTheSequence() throws Exception {
        List<String> journal = new ArrayList<>();
        List<String> replica = new ArrayList<>();
        List<String> book = new ArrayList<>();
        try (Spindle spindle = Spindle.create()) {
            // snippet: pipeline
            Pipeline<Order> orders = Pipeline.builder(spindle, "orders", Order::new)
                    .capacity(8_192)
                    .stage("journal", order -> journal.add(order.text))
                    .stage("replicate", order -> replica.add(order.text))
                    .afterPublish()
                    .stage("apply", order -> book.add(order.text))
                    .after("journal", "replicate")
                    .build();

            orders.publish(order -> order.text = "buy 100"); // from any number of threads; waits while the ring is full
            orders.publish(order -> order.text = "sell 30");
            boolean room = orders.offer(order -> order.text = "sell 70"); // never waits

            orders.close(); // waits until the last event has left the last stage
            // end

            assertThat(room).isTrue();
        }
        assertThat(book).containsExactly("buy 100", "sell 30", "sell 70");
        assertThat(journal).isEqualTo(book);
        assertThat(replica).isEqualTo(book);
    }

    private static final class Order {
        String text = "";
    }
}
