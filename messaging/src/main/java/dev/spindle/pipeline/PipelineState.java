// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.pipeline;

/** The states of a pipeline, in their order. */
enum PipelineState {
    OPEN("is on a spindle that was shut down"), // as a reason why it takes no event
    DRAINING("is being drained"),
    HALTING("is halted"),
    DRAINED("was drained"),
    HALTED("is halted");

    private final String text;

    PipelineState(String text) {
        this.text = text;
    }

    /** Returns why no event is taken. */
    String text() {
        return text;
    }
}
