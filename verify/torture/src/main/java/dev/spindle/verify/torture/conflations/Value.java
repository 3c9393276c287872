// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.torture.conflations;

/**
 * A value that a thread sends.
 *
 * @param key the key of the value
 * @param sender the index of the sender, or -1 if the value has no order: it was sent by a callback or by
 *     {@code sendAsync}, which later values of the key may overtake
 * @param number the number of this value in the sender's sequence
 */
record Value(int key, int sender, int number) {}
