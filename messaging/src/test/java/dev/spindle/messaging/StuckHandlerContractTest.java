// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.messaging;

import static dev.spindle.TestSupport.await;
import static dev.spindle.TestSupport.until;
import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.Activity;
import dev.spindle.Spindle;
import dev.spindle.actor.Actors;
import dev.spindle.channel.Channel;
import dev.spindle.pipeline.Pipeline;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** M3 and M5: handlers of actors, channels and pipelines that hang. */
@Timeout(60)
class StuckHandlerContractTest {
    private final List<Activity> stuck = new CopyOnWriteArrayList<>();
    private final Spindle spindle = Spindle.builder()
            .name("models")
            .coreThreads(4)
            .stuckAfter(Duration.ofMillis(200))
            .onStuck(stuck::add)
            .build();
    private final CountDownLatch entered = new CountDownLatch(3);
    private final CountDownLatch opened = new CountDownLatch(1);

    @AfterEach
    void end() {
        opened.countDown();
        spindle.shutdownNow();
    }

    private void hang() {
        entered.countDown();
        await(opened);
    }

    @Test
    void m5_handlersThatHang_areListedAndReportedByTheNamesOfTheirModels() throws Exception {
        Actors actors = Actors.create(spindle);
        actors.<String>actor("counter", () -> (message, context) -> hang()).send("hang");
        Channel<String> prices = Channel.buffered("prices", 4);
        var unused = prices.forEach(spindle.strand("screen"), price -> hang());
        prices.send("hang");
        Pipeline<StringBuilder> orders = Pipeline.builder(spindle, "orders", StringBuilder::new)
                .stage("check", event -> hang())
                .build();
        orders.publish(event -> {});
        await(entered);
        String[] names = {"actor counter", "strand screen", "stage check of pipeline orders"};

        assertThat(spindle.running()).extracting(Activity::owner).containsExactlyInAnyOrder(names);
        until(() -> stuck.size() >= 3);

        assertThat(stuck).extracting(Activity::owner).containsExactlyInAnyOrder(names);
        assertThat(stuck).allSatisfy(one -> {
            assertThat(one.isLate()).isFalse();
            assertThat(one.stack())
                    .anyMatch(frame -> frame.getClassName().equals(getClass().getName()));
        });
    }
}
