// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.models;

import dev.spindle.Spindle;
import dev.spindle.actor.Actor;
import dev.spindle.actor.ActorContext;
import dev.spindle.actor.ActorRef;
import dev.spindle.actor.Actors;
import org.jspecify.annotations.Nullable;

/** Spindle's actors, with the capacity that they have by default. */
final class ActorCrowd implements Crowd {
    private final Spindle spindle;
    private final Actors actors;

    ActorCrowd(int members, int threads) {
        spindle = Spindle.builder().core(threads).max(threads).build();
        actors = Actors.create(spindle);
    }

    @Override
    public Member member(Behaviour behaviour) {
        return new Ref(actors.start("member", () -> new Serving(behaviour)));
    }

    @Override
    public void close() {
        actors.close();
        spindle.close();
    }

    private record Ref(ActorRef<Object> ref) implements Member {
        @Override
        public void send(Object message) throws InterruptedException {
            ref.send(message);
        }
    }

    private static final class Serving implements Actor<Object>, Turn {
        private final Behaviour behaviour;
        private @Nullable ActorContext<Object> context;

        Serving(Behaviour behaviour) {
            this.behaviour = behaviour;
        }

        @Override
        public void started(ActorContext<Object> self) {
            context = self;
        }

        @Override
        public void receive(Object message, ActorContext<Object> self) {
            behaviour.receive(message, this);
        }

        @Override
        public void tell(Member to, Object message) {
            ActorContext<Object> self = context;
            if (self != null) {
                self.tell(((Ref) to).ref, message);
            }
        }
    }
}
