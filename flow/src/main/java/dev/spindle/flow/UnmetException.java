// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.flow;

/** Why a {@link ScatterGather} failed: fewer values came than its policy asks for. */
public final class UnmetException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final transient Gathered gathered;

    UnmetException(int needed, Gathered gathered) {
        super(
                "needed " + needed + " values, got " + gathered.values() + ": " + Outcomes.counts(gathered.outcomes()),
                null,
                false,
                false);
        this.gathered = gathered;
    }

    /** Returns what came all the same; null after serialization. */
    public Gathered gathered() {
        return gathered;
    }
}
