// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
/**
 * {@code spindle gateway} on the command line. It needs picocli, an optional library that is not needed by programs
 * that embed the gateway.
 */
@NullMarked
package dev.spindle.gateway.command;

import org.jspecify.annotations.NullMarked;
