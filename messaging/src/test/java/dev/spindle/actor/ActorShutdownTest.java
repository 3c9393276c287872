// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.actor;

import static dev.spindle.TestSupport.resultOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.spindle.Spindle;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The end of a spindle with idle actors. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ActorShutdownTest {
    @RegisterExtension
    final Stage stage = new Stage();

    private final AtomicInteger stopped = new AtomicInteger();

    private final class Idle implements Actor<String> {
        @Override
        public void receive(String message, ActorContext<String> self) {
            throw new IllegalStateException(message);
        }

        @Override
        public void stopped(@Nullable Throwable cause) {
            stopped.incrementAndGet();
        }
    }

    private List<ActorRef<String>> startIdle() {
        List<ActorRef<String>> all = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            all.add(stage.actors.start("idle " + i, Idle::new));
        }
        stage.spindle.submit(() -> {}).join(); // runs on the only worker, after all actors have begun
        return all;
    }

    private void expectEnds(List<ActorRef<String>> all) {
        for (ActorRef<String> ref : all) {
            assertThat(resultOf(ref.terminated()).cause())
                    .isInstanceOf(CancellationException.class)
                    .hasMessageContaining("shut down");
        }
        assertThat(stopped).hasValue(all.size());
        assertThat(stage.actors.size()).isZero();
        resultOf(stage.actors.stop());
    }

    @Test
    void d1_shutdownNow_endsIdleActors() throws Exception {
        List<ActorRef<String>> all = startIdle();

        stage.spindle.shutdownNow();

        expectEnds(all);
    }

    @Test
    void d1_shutdownNow_endsActorsThatWaitForATimerOrARestart() throws Exception {
        ActorRef<String> waits = stage.actors.start("timer", () -> new Actor<>() {
            @Override
            public void started(ActorContext<String> self) {
                self.timer("late", Duration.ofDays(1), "never");
            }

            @Override
            public void receive(String message, ActorContext<String> self) {}
        });
        ActorRef<String> fails = stage.actors
                .actor("fails", Idle::new)
                .onFailure(Supervision.restart(9, Duration.ofDays(9)).backoff(Duration.ofDays(1), Duration.ofDays(1)))
                .start();
        fails.offer("own");
        assertThat(stage.takeFailure()).hasMessage("own");
        stage.spindle.submit(() -> {}).join();

        stage.spindle.shutdownNow();

        assertThat(resultOf(waits.terminated()).cause()).isInstanceOf(CancellationException.class);
        assertThat(resultOf(fails.terminated()).cause()).isInstanceOf(CancellationException.class);
        assertThat(stopped).hasValue(1);
    }

    @Test
    void d1_shutdown_stopsIdleActorsBeforeTheTermination() throws Exception {
        List<ActorRef<String>> all = startIdle();
        stage.spindle.shutdown();
        assertThat(stage.spindle.awaitTermination(20, TimeUnit.SECONDS)).isTrue();

        for (ActorRef<String> ref : all) {
            assertThat(ref.terminated().toCompletableFuture()).isCompletedWithValue(new ActorExit(ref.name(), null));
        }
        assertThat(stopped).hasValue(all.size());
        assertThat(stage.actors.size()).isZero();
        stage.spindle.shutdownNow();
        assertThat(stage.actors.stop().toCompletableFuture()).isCompleted();
    }

    @Test
    void d1_shutdownNowWhileARequestIsUnanswered_failsItAsThatOfAnActorThatStops() {
        ActorRef<Reply<String>> keeps = stage.actors.start("keeps", () -> (reply, self) -> {});
        CompletionStage<String> answer = keeps.ask(reply -> reply, Duration.ofMinutes(10));
        stage.spindle.submit(() -> {}).join();

        stage.spindle.shutdownNow();

        assertThatThrownBy(() -> resultOf(answer))
                .hasRootCauseInstanceOf(ActorStoppedException.class)
                .rootCause()
                .hasMessageContaining("actor keeps is stopped");
    }

    @Test
    void d1_shutdownNowInATurn_endsTheActorWhenThatIsOver() {
        ActorRef<Spindle> ref = stage.actors.start("ends all", () -> (spindle, self) -> spindle.shutdownNow());
        ref.offer(stage.spindle);

        assertThat(resultOf(ref.terminated()).cause()).isInstanceOf(CancellationException.class);
    }
}
