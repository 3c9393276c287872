// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.messages;

import dev.spindle.Spindle;
import dev.spindle.actor.Actor;
import dev.spindle.actor.ActorContext;
import dev.spindle.actor.ActorRef;
import dev.spindle.actor.Actors;
import dev.spindle.benchmarks.compare.Waits;
import dev.spindle.benchmarks.executors.PekkoActors;
import dev.spindle.benchmarks.executors.SerialExecutors;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.pekko.actor.AbstractActor;
import org.apache.pekko.actor.Props;
import org.jspecify.annotations.Nullable;

/**
 * Members of one kind, each of which handles its messages one after another. A member is an actor, a serial executor or
 * a thread. The mailboxes hold 1,024 messages, except those of serial executors, of Pekko, and of actors that are
 * called unbounded.
 */
record Crowd(Function<Crowd.Behaviour, Crowd.Member> maker, Runnable ending) implements AutoCloseable {
    private static final int CAPACITY = 1_024;
    private static final int UNBOUNDED = 1_000_000_000;
    private static final Object END = new Object();

    /**
     * Creates a crowd of up to {@code members} members that share {@code threads} threads. The second number is ignored
     * if each member has its own thread.
     */
    interface Maker {
        Crowd of(int members, int threads);
    }

    interface Member {
        /** Sends a message from a thread outside the crowd; blocks while a bounded mailbox is full. */
        void send(Object message) throws InterruptedException;
    }

    interface Behaviour {
        void receive(Object message, Turn turn);
    }

    interface Turn {
        /** Sends a message from a member that is handling another message. */
        void tell(Member to, Object message);
    }

    Member member(Behaviour behaviour) {
        return maker.apply(behaviour);
    }

    @Override
    public void close() {
        ending.run();
    }

    static Crowd inPlace(int members, int threads) {
        Turn refusing = (to, message) -> {
            throw new IllegalStateException("members of this crowd cannot tell");
        };
        return new Crowd(behaviour -> message -> behaviour.receive(message, refusing), () -> {});
    }

    // ---------------------------------------------------------------- actors

    static Crowd actors(int members, int threads) {
        return ofCapacity(CAPACITY, threads);
    }

    static Crowd unboundedActors(int members, int threads) {
        return ofCapacity(UNBOUNDED, threads);
    }

    private static Crowd ofCapacity(int capacity, int threads) {
        Spindle spindle = SerialExecutors.spindle(threads);
        Actors actors = Actors.create(spindle);
        return new Crowd(
                behaviour -> {
                    Supplier<Actor<Object>> serving = () -> new Serving(behaviour);
                    return new Ref(actors.actorBuilder("member", serving)
                            .capacity(capacity)
                            .build());
                },
                () -> {
                    actors.close();
                    spindle.close();
                });
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

    static Crowd pekko(int members, int threads) {
        return pekko(new PekkoActors(threads, PekkoActors.HIGH_THROUGHPUT));
    }

    static Crowd boundedPekko(int members, int threads) {
        return pekko(PekkoActors.bounded(threads, PekkoActors.HIGH_THROUGHPUT, CAPACITY));
    }

    private static Crowd pekko(PekkoActors actors) {
        return new Crowd(
                behaviour ->
                        new PekkoRef(actors.actor(Props.create(PekkoServing.class, () -> new PekkoServing(behaviour)))),
                actors::close);
    }

    private record PekkoRef(org.apache.pekko.actor.ActorRef ref) implements Member {
        @Override
        public void send(Object message) {
            ref.tell(message, org.apache.pekko.actor.ActorRef.noSender());
        }
    }

    private static final class PekkoServing extends AbstractActor implements Turn {
        private final Behaviour behaviour;

        PekkoServing(Behaviour behaviour) {
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
            ((PekkoRef) to).ref.tell(message, getSelf());
        }
    }

    // ---------------------------------------------------------------- tasks and threads

    static Maker tasks(SerialExecutors.Maker maker) {
        return (members, threads) -> {
            SerialExecutors serial = maker.of(members, threads);
            Iterator<Executor> next = serial.executors().iterator();
            return new Crowd(behaviour -> new TaskMember(next.next(), behaviour), serial::close);
        };
    }

    private record TaskMember(Executor executor, Behaviour behaviour) implements Member, Turn {
        @Override
        public void send(Object message) {
            executor.execute(() -> behaviour.receive(message, this));
        }

        @Override
        public void tell(Member to, Object message) {
            ((TaskMember) to).send(message);
        }
    }

    static Crowd threads(int members, int threads) {
        List<ThreadMember> made = new ArrayList<>();
        return new Crowd(
                behaviour -> {
                    ThreadMember member = new ThreadMember(new ArrayBlockingQueue<>(CAPACITY), behaviour);
                    made.add(member);
                    Waits.start("member", () -> Waits.ignoring(member::run));
                    return member;
                },
                () -> made.forEach(member -> Waits.ignoring(() -> member.send(END))));
    }

    private record ThreadMember(BlockingQueue<Object> queue, Behaviour behaviour) implements Member, Turn {
        void run() throws InterruptedException {
            for (Object message = queue.take(); message != END; message = queue.take()) {
                behaviour.receive(message, this);
            }
        }

        @Override
        public void send(Object message) throws InterruptedException {
            queue.put(message);
        }

        @Override
        public void tell(Member to, Object message) {
            Waits.ignoring(() -> to.send(message));
        }
    }
}
