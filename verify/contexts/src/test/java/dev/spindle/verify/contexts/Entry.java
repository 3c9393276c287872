// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.contexts;

import dev.spindle.Spindle;
import dev.spindle.actor.ActorRef;
import dev.spindle.actor.Actors;
import dev.spindle.channel.Channel;
import dev.spindle.pipeline.Pipeline;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/** The entry points at which user code is handed over. The calling thread has the context that the code must have. */
enum Entry {
    PLAIN {
        @Override
        void hand(Spindle spindle, Runnable code) {
            spindle.execute(code);
        }
    },
    SUBMIT {
        @Override
        void hand(Spindle spindle, Runnable code) {
            Future<?> unused = spindle.submit(code);
        }
    },
    KEY {
        @Override
        void hand(Spindle spindle, Runnable code) {
            spindle.<String>keyed("accounts").execute("alice", code);
        }
    },
    KEY_AS_EXECUTOR {
        @Override
        void hand(Spindle spindle, Runnable code) {
            spindle.<String>keyed("accounts").at("alice").execute(code);
        }
    },
    SUBMIT_ASYNC {
        @Override
        void hand(Spindle spindle, Runnable code) {
            CompletableFuture<?> unused = spindle.<String>keyed("accounts").submitAsync("alice", () -> {
                code.run();
                return CompletableFuture.completedFuture(7);
            });
        }
    },
    COALESCE {
        @Override
        void hand(Spindle spindle, Runnable code) {
            CompletableFuture<?> unused = spindle.<String>keyed("accounts").coalesce("alice", code);
        }
    },
    SCHEDULE {
        @Override
        void hand(Spindle spindle, Runnable code) {
            Future<?> unused = spindle.schedule(code, 1, TimeUnit.MILLISECONDS);
        }
    },
    STRAND {
        @Override
        void hand(Spindle spindle, Runnable code) {
            spindle.strand("journal").execute(code);
        }
    },
    LOGICAL_EXECUTOR {
        @Override
        void hand(Spindle spindle, Runnable code) {
            spindle.executor("reads", 2).execute(code);
        }
    },
    /** A message is handled in the context of its sender. */
    ACTOR {
        @Override
        void hand(Spindle spindle, Runnable code) {
            ActorRef<Runnable> ref = Actors.create(spindle).actor("runs", () -> (message, self) -> message.run());
            boolean unused = ref.offer(code);
        }
    },
    /** A consumer runs in the context of the thread that calls {@code forEach}. */
    CHANNEL {
        @Override
        void hand(Spindle spindle, Runnable code) {
            Channel<Runnable> channel = Channel.buffered("runs", 1);
            CompletableFuture<?> unused = channel.forEach(spindle.strand("consumer"), Runnable::run);
            boolean unusedSent = channel.offer(code);
        }
    },
    /** A stage runs in the context of the thread that declares it. */
    PIPELINE {
        @Override
        void hand(Spindle spindle, Runnable code) {
            Pipeline<Runnable[]> pipeline = Pipeline.builder(spindle, "runs", () -> new Runnable[1])
                    .stage("run", event -> event[0].run())
                    .build();
            boolean unused = pipeline.offer(event -> event[0] = code);
        }
    };

    abstract void hand(Spindle spindle, Runnable code);
}
