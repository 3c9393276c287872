// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
/**
 * Question: what does the same small program cost in each model: tasks, strands, actors, pipelines, threads and queues?
 *
 * <p>How it is measured, beside what {@code compare} says:
 * <ul>
 *   <li>{@code pi}, {@code pi-large}: a million slices of 100 terms, or 100,000 of 1,000, all added up, by two
 *       workers. As tasks of a pool: Spindle hands each result to a strand that adds, and the pools of the JDK let
 *       each task add to a shared sum. As messages: two actors compute in turn, and tell a third that adds. At most
 *       16,384 slices are under way, which the thread that submits sees to. As events: Spindle has a parallel stage
 *       with two strands, the Disruptor two handlers that leave each other's events out; then a stage that adds; a
 *       ring of 16,384.
 *   <li>{@code tell-1}, {@code tell-8}, {@code tell-32}: a million messages in total from so many threads to one
 *       member, which checks that those of each thread come in order, none lost or doubled. The messages are made
 *       beforehand. Spindle's actors take 1,024 at a time and have senders wait; so do queues and rings. Pekko's
 *       actors and tasks of serial executors have no bound.
 *   <li>{@code tell-inside}: the same from a member to another, 256 in each of its turns.
 *   <li>{@code ping-pong}: one ball between two members. {@code pairs-256}: 50 balls between each of 256 pairs; they
 *       come back in the order in which they left.
 *   <li>{@code ring-1}, {@code ring-64}: so many tokens go round 1,000 members; the hops over each link are numbered.
 *   <li>{@code rendezvous}, {@code buffered-16} and the like: numbered values from one sender to one receiver. Two
 *       threads, platform or virtual, with a channel, ours or Jox's, or a queue of the JDK; or two strands, of which
 *       the one sends with {@code sendAsync} and goes on when that is complete, and the other has {@code forEach}.
 *   <li>{@code select-2}, {@code select-8}: the same over so many rendezvous channels. The sender takes one after the
 *       other, and the receiver selects among all, in a fixed order of preference; of two strands with {@code async}.
 *   <li>{@code backlog}: what is on the heap when a thread has sent a million messages to one member, less what was
 *       there before.
 *   <li>{@code idle}: 100,000 actors that have handled a message each: what they hold, and how often threads wake in
 *       the five seconds that begin a second later.
 * </ul>
 * <p>All have a pool of two workers but threads, of which each member has one.
 */
@NullMarked
package dev.spindle.benchmarks.models;

import org.jspecify.annotations.NullMarked;
