// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.pipeline;

/** The states of a pipeline, in the order in which they may follow one another. */
enum PipelineState {
    OPEN("is on a spindle that was shut down"), // the only reason for which an open pipeline rejects an event
    DRAINING("is being drained"),
    HALTING("is halted"),
    DRAINED("was drained"),
    HALTED("is halted");

    private final String text;

    PipelineState(String text) {
        this.text = text;
    }

    /** Returns the reason for which an event is rejected in this state. */
    String text() {
        return text;
    }
}
