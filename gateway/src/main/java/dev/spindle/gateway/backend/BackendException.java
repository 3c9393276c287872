// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway.backend;

import dev.spindle.gateway.protocol.ReasonedException;

/** The failure of a call that got no answer, with its reason. */
final class BackendException extends ReasonedException {
    private static final long serialVersionUID = 1;

    /** Creates a failure. */
    BackendException(String reason) {
        super(reason);
    }
}
