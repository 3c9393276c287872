// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal;

/** A task that a bound may withdraw, the oldest first: it waits in the shared queue, where that one can be found. */
public abstract class Withdrawable implements Accepted {} // a class: see Tags
