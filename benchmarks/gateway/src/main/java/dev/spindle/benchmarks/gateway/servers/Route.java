// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.gateway.servers;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** What a request to a gateway asks of the backends. Every gateway has all of them. */
public enum Route {
    /** One call. */
    ONE(1, false),
    /** Two calls at once. */
    SMALL(2, false),
    /** Seven calls at once. */
    LARGE(7, false),
    /** Four calls, one after the other; the answer is that of the last. */
    STEPS(4, true);

    /** How many backends there are. */
    public static final int BACKENDS = 7;

    private final int calls;
    private final boolean inTurn;

    Route(int calls, boolean inTurn) {
        this.calls = calls;
        this.inTurn = inTurn;
    }

    /** How many backends a request calls: the first ones. */
    public int calls() {
        return calls;
    }

    public boolean inTurn() {
        return inTurn;
    }

    public String path() {
        return "/" + name().toLowerCase(Locale.ROOT);
    }

    static Optional<Route> at(String path) {
        return Arrays.stream(values())
                .filter(route -> route.path().equals(path))
                .findFirst();
    }
}
