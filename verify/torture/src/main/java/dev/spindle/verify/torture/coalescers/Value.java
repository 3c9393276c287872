// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.torture.coalescers;

/**
 * What is sent.
 *
 * @param sender the number of the thread; -1 where there is no order, as for callbacks and for sends that may wait
 *     while later ones of their key find room
 * @param number counts up for each sender
 */
record Value(int sender, int number) {}
