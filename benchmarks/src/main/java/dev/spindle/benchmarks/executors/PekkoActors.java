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

    /** The entry of the configuration that describes the mailboxes of actors that this object creates. */
    private final String mailbox;

    /** Creates actors with Pekko's usual mailboxes, which have no bound. */
    public PekkoActors(int threads, int throughput) {
        this(threads, throughput, "pekko.actor.default-mailbox", "");
    }

    // The system's own actors keep the default mailboxes, since the system does not start with bounded ones. The time
    // limit of its start is raised for machines that are busy.
    private PekkoActors(int threads, int throughput, String mailbox, String mailboxes) {
        this.mailbox = mailbox;
        Config config = ConfigFactory.parseString("pekko.actor.default-dispatcher {"
                        + " executor = fork-join-executor, throughput = " + throughput
                        + ", fork-join-executor { parallelism-min = " + threads
                        + ", parallelism-max = " + threads + " } }\n"
                        + mailboxes
                        + "pekko.logger-startup-timeout = 60s\n"
                        + "pekko.log-dead-letters = off, pekko.loglevel = OFF, pekko.stdout-loglevel = OFF")
                .withFallback(ConfigFactory.load());
        system = ActorSystem.create("peer", config);
    }

    /** Creates actors whose mailboxes hold {@code capacity} messages; a thread that sends to a full one waits. */
    public static PekkoActors bounded(int threads, int throughput, int capacity) {
        return new PekkoActors(
                threads,
                throughput,
                "bounded-mailbox",
                "bounded-mailbox { mailbox-type = org.apache.pekko.dispatch.BoundedMailbox, mailbox-capacity = "
                        + capacity + ", mailbox-push-timeout-time = 60s }\n");
    }

    /** Creates an actor that runs its messages, which are tasks. */
    public ActorRef taskActor() {
        return actor(Props.create(TaskActor.class, TaskActor::new));
    }

    public ActorRef actor(Props props) {
        return system.actorOf(props.withMailbox(mailbox));
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
