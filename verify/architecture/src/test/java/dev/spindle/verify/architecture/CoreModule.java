// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.architecture;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import java.io.IOException;
import java.io.InputStream;
import java.lang.module.ModuleDescriptor;
import java.nio.file.Files;
import java.nio.file.Path;

/** The built module of the executor: its declaration and its packages. */
final class CoreModule {
    private CoreModule() {}

    static DescribedPredicate<JavaClass> contains() {
        return JavaClass.Predicates.resideInAnyPackage("dev.spindle", "dev.spindle.internal..")
                .as("core");
    }

    /** The compiled declaration. */
    static ModuleDescriptor descriptor() throws IOException {
        Path declaration = Repository.here().root().resolve("core/target/classes/module-info.class");
        try (InputStream bytes = Files.newInputStream(declaration)) {
            return ModuleDescriptor.read(bytes);
        }
    }
}
