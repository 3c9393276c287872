// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.models;

import dev.spindle.benchmarks.peers.Actors;
import org.apache.pekko.actor.AbstractActor;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.Props;

/** Pekko's actors, whose mailboxes have no bound. */
final class PekkoCrowd implements Crowd {
    private final Actors actors;

    PekkoCrowd(int members, int threads) {
        actors = new Actors(threads, Actors.HIGH_THROUGHPUT);
    }

    @Override
    public Member member(Behaviour behaviour) {
        return new Ref(actors.actor(Props.create(Serving.class, () -> new Serving(behaviour))));
    }

    @Override
    public void close() {
        actors.close();
    }

    private record Ref(ActorRef ref) implements Member {
        @Override
        public void send(Object message) {
            ref.tell(message, ActorRef.noSender());
        }
    }

    private static final class Serving extends AbstractActor implements Turn {
        private final Behaviour behaviour;

        Serving(Behaviour behaviour) {
            this.behaviour = behaviour;
        }

        @Override
        public Receive createReceive() {
            return receiveBuilder()
                    .matchAny(message -> behaviour.receive(message, this))
                    .build();
        }

        @Override
        public void tell(Member to, Object message) {
            ((Ref) to).ref.tell(message, getSelf());
        }
    }
}
