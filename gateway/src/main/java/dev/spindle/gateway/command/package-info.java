// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
/** {@code spindle gateway} on the command line. Needs picocli, which programs that use the gateway do not. */
@NullMarked
package dev.spindle.gateway.command;

import org.jspecify.annotations.NullMarked;
