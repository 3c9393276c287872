// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0

/** What the modules share. */

import { time } from './words.js';

export const state = {
    hello: {}, // what the first event said of the process
    last: null, // the last frame
    held: false, // true while a person holds the page still
    link: 'connecting', // connecting, on, lost or asleep
    keys: { old: [], deep: [] }, // the rows that are shown, in the order that is shown
    waits: [],
    parts: [],
};

/** The age in milliseconds at which something is stuck. */
export const stuckMillis = () => state.hello.stuck || 30000;

/** The same as a text. */
export const limit = () => time(stuckMillis()).replace('.0 ', ' ');
