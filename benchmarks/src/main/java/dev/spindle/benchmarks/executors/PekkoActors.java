// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.executors;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import java.util.concurrent.TimeUnit;
import org.apache.pekko.actor.AbstractActor;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.ActorSystem;
import org.apache.pekko.actor.Props;
import scala.concurrent.Await;
import scala.concurrent.duration.Duration;

/** Pekko's actors on a fork-join pool of a fixed size. */
public final class PekkoActors implements AutoCloseable {
    /**
     * Pekko's default for the maximum number of messages that an actor handles before its thread runs another actor.
     */
    public static final int USUAL_THROUGHPUT = 5;

    /** The corresponding maximum in Pekko's own benchmarks. */
    public static final int HIGH_THROUGHPUT = 50;

    private final ActorSystem system;

    public PekkoActors(int threads, int throughput) {
        Config config = ConfigFactory.parseString("pekko.actor.default-dispatcher {"
                        + " executor = fork-join-executor, throughput = " + throughput
                        + ", fork-join-executor { parallelism-min = " + threads
                        + ", parallelism-max = " + threads + " } }\n"
                        + "pekko.log-dead-letters = off, pekko.loglevel = OFF, pekko.stdout-loglevel = OFF")
                .withFallback(ConfigFactory.load());
        system = ActorSystem.create("peer", config);
    }

    /** Creates an actor that runs its messages, which are tasks. */
    public ActorRef taskActor() {
        return actor(Props.create(TaskActor.class, TaskActor::new));
    }

    public ActorRef actor(Props props) {
        return system.actorOf(props);
    }

    @Override
    public void close() {
        try {
            Await.ready(system.terminate(), Duration.create(30, TimeUnit.SECONDS));
        } catch (Exception e) {
            throw new IllegalStateException("the actor system did not end", e);
        }
    }

    private static final class TaskActor extends AbstractActor {
        @Override
        public Receive createReceive() {
            return receiveBuilder().match(Runnable.class, Runnable::run).build();
        }
    }
}
