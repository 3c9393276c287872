// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway.netty;

/** Why a backend gave no answer. */
final class BackendException extends Exception {
    private static final long serialVersionUID = 1;

    BackendException(String reason) {
        super(reason, null, false, false);
    }
}
