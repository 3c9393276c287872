// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.actor;

/**
 * The states of an actor. In a suspended state no behaviour handles messages: the behaviour has not begun, or is being
 * restarted.
 */
enum ActorState {
    /*
     *   from                 to                    when
     *   SUSPENDED            SERVING               the behaviour starts, at first or after a restart
     *   SERVING              SUSPENDED             a restart begins
     *   SUSPENDED            DRAINING_SUSPENDED    the actor is stopped
     *   SERVING              DRAINING              the actor is stopped
     *   each but ENDING      ABANDONED_SUSPENDED   the pool has ended, and the state is a suspended one
     *                        ABANDONED             the pool has ended, and the state is another one
     *   DRAINING             ENDING                no request is left, the outbox is empty, and the replies are handled
     *   DRAINING_SUSPENDED   ENDING                the restart is delayed, and no message waits
     *   each but ENDING      ENDING                the actor is halted or abandoned, fails without a restart, or its
     *                                              spindle is halted
     *
     * A start and a restart change the DRAINING and ABANDONED states in the same way as SUSPENDED and SERVING.
     */
    SUSPENDED,
    SERVING,
    /** The actor was stopped, and ends after its behaviour has handled the remaining messages. */
    DRAINING_SUSPENDED,
    DRAINING,
    /** The pool has ended before it ran the actor. The thread that has made the actor ready ends the actor. */
    ABANDONED_SUSPENDED,
    ABANDONED,
    /** The behaviour receives no more messages, and requests are dropped. */
    ENDING;

    boolean isSuspended() {
        return this == SUSPENDED || this == DRAINING_SUSPENDED || this == ABANDONED_SUSPENDED;
    }

    boolean isDraining() {
        return this == DRAINING || this == DRAINING_SUSPENDED;
    }

    boolean isAbandoned() {
        return this == ABANDONED || this == ABANDONED_SUSPENDED;
    }

    /** Returns true if the actor was stopped or abandoned, and has not begun to end. */
    boolean isStopping() {
        return isDraining() || isAbandoned();
    }

    /** Returns the state after a start or restart of the behaviour. */
    ActorState begun() {
        return switch (this) {
            case SUSPENDED -> SERVING;
            case DRAINING_SUSPENDED -> DRAINING;
            case ABANDONED_SUSPENDED -> ABANDONED;
            default -> this;
        };
    }

    /** Returns the state at the beginning of a restart. */
    ActorState suspended() {
        return switch (this) {
            case SERVING -> SUSPENDED;
            case DRAINING -> DRAINING_SUSPENDED;
            case ABANDONED -> ABANDONED_SUSPENDED;
            default -> this;
        };
    }

    /** Returns the state after a stop. */
    ActorState draining() {
        return switch (this) {
            case SUSPENDED -> DRAINING_SUSPENDED;
            case SERVING -> DRAINING;
            default -> this;
        };
    }

    /** Returns the state after the end of the pool. */
    ActorState abandoned() {
        return this == ENDING ? ENDING : isSuspended() ? ABANDONED_SUSPENDED : ABANDONED;
    }
}
