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
 * A look at the queue meets polls that pass the segment it looks at: it does not miss what stays (InjectionQueue-3,
 * InjectionQueue-5).
 */
@JCStressTest
@Outcome(id = "false, 5", expect = Expect.ACCEPTABLE, desc = "The last entry was seen.")
@Outcome(expect = Expect.FORBIDDEN, desc = "Nothing was seen, and an entry is there.")
@State
public class LookAgainstPoll {
    private final InjectionQueue queue = new InjectionQueue(1);

    /** Three entries in segments of their own, behind one that is spent. */
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
