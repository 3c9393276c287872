// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Channels: senders and receivers that do not know each other, with a bounded number of values between them.
 *
 * <pre>
 *  threads      send, offer ------+                          +---  threads      receive, poll
 *  tasks        sendAsync, offer -+--  rendezvous, buffered  +---  tasks        receiveAsync, poll
 *  either       Select -----------+    or conflating by key  +---  a strand     forEach
 *                                                            +---  either       Select
 * </pre>
 *
 * <p>A {@link dev.spindle.channel.Channel} passes each value to exactly one receiver, and serves waiting senders and
 * receivers in order. Threads wait in {@code send} and {@code receive}. Workers of a spindle never wait; tasks use the
 * methods that return a stage, or {@code forEach}. A {@link dev.spindle.channel.Select} performs one of several sends
 * and receives.
 */
@NullMarked
package dev.spindle.channel;

import org.jspecify.annotations.NullMarked;
