// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.conformance;

import dev.spindle.Strand;

/** A strand, as a replacement of a single-thread executor. */
class StrandConformanceTest extends SerialScheduledConformance {
    private static final Subject<Strand> SUBJECT = Subject.of(
            "strand",
            1,
            owned -> {
                Strand strand = Hosts.owned(owned).strand("strand");
                owned.accept(strand);
                return strand;
            },
            Trait.DUE_TASKS_MAY_SWAP);

    StrandConformanceTest() {
        super(SUBJECT);
    }
}
