// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.actor;

import static dev.spindle.TestSupport.resultOf;
import static dev.spindle.actor.Stage.endOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.spindle.ClosedException;
import dev.spindle.Spindle;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The end of a spindle with idle actors. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@SuppressWarnings("FutureReturnValueIgnored") // the tests see the ends by other means
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
        public void stopped(@Nullable Throwable cause, @Nullable String unhandled) {
            stopped.incrementAndGet();
        }
    }

    private List<ActorRef<String>> startIdle() {
        List<ActorRef<String>> all = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            all.add(stage.actors.actor("idle " + i, Idle::new));
        }
        stage.spindle.submit(() -> {}).join(); // runs on the only worker, after all actors have begun
        return all;
    }

    private void expectEnds(List<ActorRef<String>> all) {
        for (ActorRef<String> ref : all) {
            assertThat(endOf(ref)).isInstanceOf(CancellationException.class).hasMessageContaining("shut down");
        }
        assertThat(stopped).hasValue(all.size());
        assertThat(stage.actors.size()).isZero();
        resultOf(stage.actors.drain());
    }

    @Test
    void d1_shutdownNow_endsIdleActors() throws Exception {
        List<ActorRef<String>> all = startIdle();

        stage.spindle.shutdownNow();

        expectEnds(all);
    }

    @Test
    void d1_shutdownNow_endsActorsThatWaitForATimerOrARestart() throws Exception {
        ActorRef<String> waits = stage.actors.actor("timer", () -> new Actor<>() {
            @Override
            public void started(ActorContext<String> self) {
                self.schedule("never", Duration.ofDays(1));
            }

            @Override
            public void receive(String message, ActorContext<String> self) {}
        });
        ActorRef<String> fails = stage.actors
                .actorBuilder("fails", Idle::new)
                .supervision(Supervision.restart(9, Duration.ofDays(9)).backoff(Duration.ofDays(1), Duration.ofDays(1)))
                .build();
        fails.offer("own");
        assertThat(stage.takeFailure()).hasMessage("own");
        stage.spindle.submit(() -> {}).join();

        stage.spindle.shutdownNow();

        assertThat(endOf(waits)).isInstanceOf(CancellationException.class);
        assertThat(endOf(fails)).isInstanceOf(CancellationException.class);
        assertThat(stopped).hasValue(1);
    }

    @Test
    void d1_shutdown_stopsIdleActorsBeforeTheTermination() throws Exception {
        List<ActorRef<String>> all = startIdle();
        stage.spindle.shutdown();
        assertThat(stage.spindle.awaitTermination(20, TimeUnit.SECONDS)).isTrue();

        for (ActorRef<String> ref : all) {
            assertThat(ref.terminated().toCompletableFuture()).isCompletedWithValue(null);
        }
        assertThat(stopped).hasValue(all.size());
        assertThat(stage.actors.size()).isZero();
        stage.spindle.shutdownNow();
        assertThat(stage.actors.drain().toCompletableFuture()).isCompleted();
    }

    @Test
    void d1_shutdownNowWhileARequestIsUnanswered_failsItAsThatOfAnActorThatStops() {
        ActorRef<CompletableFuture<String>> keeps = stage.actors.actor("keeps", () -> (reply, self) -> {});
        CompletionStage<String> answer = keeps.ask(reply -> reply, Duration.ofMinutes(10));
        stage.spindle.submit(() -> {}).join();

        stage.spindle.shutdownNow();

        assertThatThrownBy(() -> resultOf(answer))
                .hasRootCauseInstanceOf(ClosedException.class)
                .rootCause()
                .hasMessageContaining("actor keeps is stopped");
    }

    @Test
    void d1_shutdownNowInATurn_endsTheActorWhenThatIsOver() {
        ActorRef<Spindle> ref = stage.actors.actor("ends all", () -> (spindle, self) -> spindle.shutdownNow());
        ref.offer(stage.spindle);

        assertThat(endOf(ref)).isInstanceOf(CancellationException.class);
    }
}
