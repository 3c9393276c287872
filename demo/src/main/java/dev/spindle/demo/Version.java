// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.demo;

import picocli.CommandLine.IVersionProvider;

/** Provides the version of the jar of this class. */
final class Version implements IVersionProvider {

    @Override
    public String[] getVersion() {
        Package packaged = Version.class.getPackage();
        String version = packaged == null ? null : packaged.getImplementationVersion();
        return new String[] {"spindle " + (version == null ? "(built from source)" : version)};
    }
}
