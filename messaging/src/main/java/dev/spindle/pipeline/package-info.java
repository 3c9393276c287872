// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Assembly lines: events pass from stage to stage of a {@link dev.spindle.pipeline.Pipeline}, and each stage is a
 * strand of a spindle.
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
 *  parallel   publishers -> decode x 4 -> apply              the events come out in their sequence
 * </pre>
 *
 * A {@link dev.spindle.pipeline.Coalescer} is for consumers that need the latest value of each key alone.
 */
@NullMarked
package dev.spindle.pipeline;

import org.jspecify.annotations.NullMarked;
