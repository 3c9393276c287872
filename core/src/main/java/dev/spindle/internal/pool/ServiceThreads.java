// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.pool;

import dev.spindle.internal.DefaultThreads;

/** Makes the threads of a pool that run no tasks. Never a factory of the user's, which may be slow. */
interface ServiceThreads {
    /** Daemons with the fixed defaults of this library. */
    ServiceThreads DEFAULT = new ServiceThreads() { // no lambda: to link one takes time at the start
                @Override
                public Thread of(Runnable body, String name) {
                    return DefaultThreads.waiter(body, name);
                }
            };

    /** Returns a thread that is not started. */
    Thread of(Runnable body, String name);
}
