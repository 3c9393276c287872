// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal;

/**
 * A task by which a part of the library runs itself in a lane, or as a plain task that is handed to the pool and that no
 * shutdown takes away. It takes no place in a bound, since it is no work of the user's that waits, and carries no context,
 * since it acts for many. A class, since every submit asks, and of a class that is one comparison.
 */
public abstract class OwnTask implements Runnable {}
