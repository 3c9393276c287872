// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.torture.conflations;

/**
 * A value that is sent.
 *
 * @param key the key of the value
 * @param sender the number of the thread; -1 if the values have no order, as those of callbacks and of sends that may
 *     wait while later ones of their key find room
 * @param number the number of this value among those of its sender
 */
record Value(int key, int sender, int number) {}
