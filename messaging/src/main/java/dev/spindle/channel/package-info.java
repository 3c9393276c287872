// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Channels, which pass values between senders and receivers that do not know each other.
 *
 * <pre>
 *  threads      send, offer ------+                          +---  threads      receive, poll
 *  tasks        sendAsync, offer -+--  rendezvous, buffered  +---  tasks        receiveAsync, poll
 *  either       Select -----------+    or conflating by key  +---  a strand     forEach
 *                                                            +---  either       Select
 * </pre>
 *
 * <p>A {@link dev.spindle.channel.Channel} passes each value to one receiver, and serves waiting senders and
 * receivers in order. Threads wait in {@code send} and {@code receive}. Workers of a spindle never wait; tasks call
 * methods that return a future, such as {@code sendAsync}. A {@link dev.spindle.channel.Select} performs one of several
 * sends and receives.
 */
@NullMarked
package dev.spindle.channel;

import org.jspecify.annotations.NullMarked;
