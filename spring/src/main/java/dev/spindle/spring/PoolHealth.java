// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.spring;

import dev.spindle.Spindle;
import dev.spindle.observe.SpindleHealth;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.beans.factory.ListableBeanFactory;

/** The health of all spindles of an application, without the types of a health API. Thread-safe. */
final class PoolHealth {
    private final ListableBeanFactory beans;
    private final Map<String, SpindleHealth> known = new ConcurrentHashMap<>();

    PoolHealth(ListableBeanFactory beans) {
        this.beans = beans;
    }

    /** What a check has found. */
    enum State {
        UP,
        /** A spindle has been shut down. */
        OUT_OF_SERVICE,
        /** A spindle has ready work, and no task has ended for the time limit. */
        DOWN
    }

    /** A state, and a line for each spindle. */
    record Result(State state, Map<String, Object> details) {}

    /** Returns the spindles of the application by the names of their beans. */
    Map<String, Spindle> spindles() {
        return new TreeMap<>(beans.getBeansOfType(Spindle.class, false, false));
    }

    /** Returns the health of a spindle. */
    SpindleHealth of(String name, Spindle spindle) {
        return known.computeIfAbsent(name, unused -> new SpindleHealth(spindle));
    }

    /** Checks all spindles. */
    Result check() {
        State worst = State.UP;
        Map<String, Object> details = new LinkedHashMap<>();
        for (Map.Entry<String, Spindle> entry : spindles().entrySet()) {
            Spindle spindle = entry.getValue();
            SpindleHealth.Status status = of(entry.getKey(), spindle).check();
            State state = status.isStalled() ? State.DOWN : status.isReady() ? State.UP : State.OUT_OF_SERVICE;
            worst = state.compareTo(worst) > 0 ? state : worst;
            details.put(entry.getKey(), status.toString());
        }
        return new Result(worst, details);
    }
}
