// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.model;

/** Where a thread is. */
enum Pc {
    DEAD,
    // a producer
    P_NEXT,
    P_TIMER,
    P_STOP,
    // WorkerPool.ready, when it signals too early
    PUBLISH_LATE,
    // Crew.signal
    SIGNAL,
    SIGNAL_LIMIT,
    SIGNAL_AWAKE,
    SIGNAL_BLOCKED,
    SIGNAL_ARMED,
    SLOW_SIGNAL,
    SLOW_DISARM,
    SLOW_UNWATCH,
    SLOW_AWAKE,
    SLOW_SEARCHING,
    ARM,
    ARM_WATCHER,
    UNPARK,
    START,
    // ReadyQueue.hasReady
    LOOK_ENTRY,
    LOOK_RING,
    // Crew.watchTimers
    WATCH_TIMERS,
    WATCH_TIMERS_LOCKED,
    // Worker
    RUN,
    POLL,
    POLL_RING,
    FOUND,
    FOUND_LOOKED,
    EXECUTE,
    NEST,
    BEGIN_BLOCKING,
    BLOCKING_LOOKED,
    WAIT,
    END_BLOCKING,
    DONE,
    UNWATCHED,
    SURPLUS,
    HAND_OVER,
    HANDED,
    RETREAT,
    RETREAT_AWAKE,
    RETREAT_LOOKED,
    SEARCH,
    SEARCH_LOOKED,
    BECOME_IDLE,
    LEAVE,
    LEAVE_SERVICE,
    LEAVE_AWAKE,
    IDLE_LOOKED,
    PARK,
    EXPIRE,
    // WorkerPool.watch
    WATCH,
    WATCH_LOOK,
    LOOKED,
    DISARMED,
    GROW,
    GROW_LIMIT,
    GROW_AWAKE,
    GROW_SEARCHING,
    STOP_WATCHING,
    STOPPED_WATCHING,
    PARK_WATCHING,
    FIRE,
    // the end
    TRY_TERMINATE,
    FINISH,
    ENDED,
    ENDED_LOOKED,
    DIE
}
