// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.conformance;

import dev.spindle.Strand;

/** A strand with a thread of its own. */
class OwnThreadStrandConformanceTest extends SerialScheduledConformance {
    private static final Subject<Strand> SUBJECT = Subject.of(
            "strand with a thread",
            1,
            owned -> {
                Strand strand = Strand.builder("own")
                        .onFailure((activity, failure) -> {})
                        .build();
                owned.accept(strand);
                return strand;
            },
            Trait.DUE_TASKS_MAY_SWAP);

    OwnThreadStrandConformanceTest() {
        super(SUBJECT);
    }
}
