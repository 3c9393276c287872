// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle;

import org.jspecify.annotations.Nullable;

/**
 * A call that may block and may throw, for {@link Spindle#callBlocking}.
 *
 * @param <T> the type of the result
 * @param <X> the type of the checked exceptions that the call throws; an unchecked type if there are none
 */
@FunctionalInterface
public interface BlockingCall<T extends @Nullable Object, X extends Throwable> {
    /** Makes the call and returns its result. */
    T call() throws X;
}
