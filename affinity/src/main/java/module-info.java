// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Worker threads with a core of their own.
 *
 * <p>The calls to the system are those of the OpenHFT affinity library. It has no module name, so this module does not
 * require it but looks for it: keep it, and what it needs, on the class path.
 */
module dev.spindle.affinity {
    requires static transitive org.jspecify;

    exports dev.spindle.affinity;
}
