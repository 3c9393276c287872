// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
/**
 * {@code spindle gateway} on the command line. The command needs picocli, an optional library. Programs that embed the
 * gateway do not need picocli.
 */
@NullMarked
package dev.spindle.gateway.command;

import org.jspecify.annotations.NullMarked;
