// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Pipelines. Events pass from stage to stage of a {@link dev.spindle.pipeline.Pipeline}; each stage is a strand of a
 * spindle.
 *
 * <pre>
 *  chain      publishers -> journal -> apply -> notify       as they are declared, one after another
 *
 *  diamond    publishers -> journal   -> apply               replicate: afterPublish()
 *                       `-> replicate -'                     apply: after("journal", "replicate")
 *
 *  multicast  publishers -> audit
 *                       `-> metrics                          metrics: afterPublish()
 *
 *  parallel   publishers -> decode x 4 -> apply              events leave decode in their sequence
 * </pre>
 *
 * For consumers that need only the latest value of each key, use a conflating {@link dev.spindle.channel.Channel}.
 */
@NullMarked
package dev.spindle.pipeline;

import org.jspecify.annotations.NullMarked;
