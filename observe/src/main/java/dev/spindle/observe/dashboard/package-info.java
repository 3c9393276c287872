// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0

/**
 * A page that shows in a browser how a spindle is: what runs, what is stuck and on what, and the figures over time.
 *
 * <pre>
 *   browser ── GET /live ──► viewer 1 ◄──┐
 *   browser ── GET /live ──► viewer 2 ◄──┤  one frame, four times a second
 *                                        │
 *                     Ticker (one thread, while there is a viewer)
 *                                        │
 *                     Frames ── workers, each time
 *                            ── stacks of long tasks
 *                            ── one pass over the keys, as often as half a percent of a processor allows
 * </pre>
 */
@NullMarked
package dev.spindle.observe.dashboard;

import org.jspecify.annotations.NullMarked;
