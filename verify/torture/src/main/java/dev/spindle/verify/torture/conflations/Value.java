// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.torture.conflations;

/**
 * A value that a thread sends.
 *
 * @param key the key of the value
 * @param sender the index of the sender, or -1 if a callback or {@code sendAsync} sent the value, which later values
 *     may then overtake
 * @param number the number of this value in the sender's sequence
 */
record Value(int key, int sender, int number) {}
