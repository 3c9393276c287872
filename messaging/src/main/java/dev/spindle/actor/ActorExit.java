// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.actor;

import org.jspecify.annotations.Nullable;

/**
 * How an actor ended.
 *
 * @param actor its name
 * @param cause what it failed with; null if it was stopped
 */
public record ActorExit(String actor, @Nullable Throwable cause) {}
