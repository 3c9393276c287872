// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.pool;

/** Makes the threads of a pool that run no tasks. A user's thread factory is not used, since it may block. */
interface ServiceThreads {
    /** Makes daemon threads ({@link DefaultThreads#waiter}). */
    ServiceThreads DEFAULT = new ServiceThreads() { // no lambda, since its linkage would delay the start of the thread
                @Override
                public Thread of(Runnable body, String name) {
                    return DefaultThreads.waiter(body, name);
                }
            };

    /** Returns a new thread that is not started. */
    Thread of(Runnable body, String name);
}
