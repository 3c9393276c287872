// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Worker threads that are pinned to cores.
 *
 * <p>This module makes its system calls through the OpenHFT affinity library. The library has no module name, so this
 * module does not require the library, but finds it by name. Put the library and its dependencies on the class path.
 */
module dev.spindle.affinity {
    requires static org.jspecify;

    exports dev.spindle.affinity;
}
