// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.architecture;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.nio.file.Path;
import java.util.Set;

/** The module of the executor as it was built: its declaration and its packages. */
final class CoreModule {
    private static final Set<String> PACKAGES = Set.of("dev.spindle", "dev.spindle.internal");

    private CoreModule() {}

    static DescribedPredicate<JavaClass> contains() {
        return DescribedPredicate.describe("core", type -> PACKAGES.contains(type.getPackageName()));
    }

    /** The compiled declaration, from the directory or jar that holds the executor. */
    static ModuleDescriptor descriptor() throws Exception {
        Path home = Path.of(Class.forName("dev.spindle.Spindle")
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
        return ModuleFinder.of(home)
                .find("dev.spindle.core")
                .orElseThrow(() -> new IllegalStateException("no module dev.spindle.core in " + home))
                .descriptor();
    }
}
