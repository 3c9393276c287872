// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.queue;

import org.jspecify.annotations.Nullable;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZI_Result;

/**
 * A read of the queue meets polls that pass the segment that it reads: it does not miss an entry that stays
 * (InjectionQueue-3, InjectionQueue-5).
 */
@JCStressTest
@Outcome(id = "false, 5", expect = Expect.ACCEPTABLE, desc = "The last entry was seen.")
@Outcome(expect = Expect.FORBIDDEN, desc = "No entry was seen, although there is one.")
@State
public class LookAgainstPoll {
    private final InjectionQueue queue = new InjectionQueue(1);

    /** Three entries in segments of their own, behind a spent segment. */
    public LookAgainstPoll() {
        for (int i = 1; i <= 4; i++) {
            queue.offer(i);
        }
        queue.poll();
    }

    @Actor
    public void look(ZI_Result result) {
        result.r1 = queue.isEmpty();
    }

    @Actor
    public void poll(ZI_Result result) {
        result.r2 = value(queue.poll()) + value(queue.poll());
    }

    private static int value(@Nullable Object entry) {
        return entry instanceof Integer value ? value : 0;
    }
}
