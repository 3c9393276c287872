// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.torture.channels;

/**
 * A value that a thread sends.
 *
 * @param sender the index of the sender
 * @param number the number of this value in the sender's sequence, starting at 0
 */
record Value(int sender, int number) {}
