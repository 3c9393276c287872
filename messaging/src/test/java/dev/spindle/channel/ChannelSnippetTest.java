// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.channel;

import static dev.spindle.TestSupport.result;
import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.Spindle;
import dev.spindle.Strand;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** The snippet of docs/messaging.md, which contains the lines between the marker comments verbatim. */
class ChannelSnippetTest {
    @Test
    @SuppressWarnings({"FutureReturnValueIgnored", "NullAway"}) // as users write it
    void channels_jobsOnAStrand_areHandledInOrder() throws Exception {
        List<String> out = Collections.synchronizedList(new ArrayList<>());
        try (Spindle spindle = Spindle.create()) {
            Strand strand = spindle.strand("jobs");
            // snippet: channels
            Channel<String> jobs = Channel.buffered("jobs", 16); // or rendezvous, or conflating
            Channel<String> stop = Channel.rendezvous("stop");

            CompletableFuture<Void> done =
                    jobs.forEach(strand, out::add); // one at a time; the next when the handler is done

            jobs.send("index"); // a thread; waits while there is no room
            jobs.sendAsync("publish"); // a task
            String next = Select.<String>fair()
                    .receive(stop, reason -> "stopped: " + reason)
                    .send(jobs, "report", () -> "went on")
                    .onTimeout(Duration.ofSeconds(1), () -> "timed out")
                    .await();

            jobs.close(); // what was sent is still received; then done completes
            // end
            result(done);
            assertThat(next).isEqualTo("went on");
        }
        assertThat(out).containsExactly("index", "publish", "report");
    }

    @Test
    void conflating_pricesThatComeTooFast_showsTheLatest() {
        Screen screen = new Screen();
        try (Spindle spindle = Spindle.create()) {
            // snippet: conflating
            Channel<Price> prices = Channel.conflating("prices", 65_536, Price::stock);
            CompletableFuture<?> shown = prices.forEach(spindle.strand("screen"), screen::show);

            prices.offer(new Price("ACME", 100)); // from any number of threads
            prices.offer(new Price("EMCA", 7));
            prices.offer(new Price("ACME", 101)); // takes the place of 100, if that has not been received

            prices.close(); // then shown completes when the rest was shown
            // end
            result(shown);
        }

        assertThat(screen.shown).containsExactly(Map.entry("ACME", 101), Map.entry("EMCA", 7));
    }

    private record Price(String stock, int cents) {}

    private static final class Screen {
        private final Map<String, Integer> shown = new LinkedHashMap<>();

        void show(Price price) {
            shown.put(price.stock(), price.cents());
        }
    }
}
