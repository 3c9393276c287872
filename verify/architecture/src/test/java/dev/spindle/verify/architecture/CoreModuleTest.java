// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleDescriptor.Requires;
import org.junit.jupiter.api.Test;

class CoreModuleTest {
    @Test
    void core_atRunTime_requiresJavaBaseAlone() throws Exception {
        assertThat(CoreModule.descriptor().requires())
                .filteredOn(required -> !required.modifiers().contains(Requires.Modifier.STATIC))
                .extracting(Requires::name)
                .containsExactly("java.base");
    }

    @Test
    void core_atCompileTime_requiresAnnotationsAndEventsAtMost() throws Exception {
        assertThat(CoreModule.descriptor().requires())
                .extracting(Requires::name)
                .isSubsetOf("java.base", "org.jspecify", "jdk.jfr");
    }

    @Test
    void core_toEverybody_exportsItsFaceAlone() throws Exception {
        assertThat(CoreModule.descriptor().exports())
                .filteredOn(exported -> !exported.isQualified())
                .extracting(ModuleDescriptor.Exports::source)
                .containsExactly("dev.spindle");
    }

    @Test
    void core_toTheProject_exportsInternalAtMost() throws Exception {
        assertThat(CoreModule.descriptor().exports())
                .filteredOn(ModuleDescriptor.Exports::isQualified)
                .allSatisfy(exported -> {
                    assertThat(exported.source())
                            .isIn("dev.spindle.internal", "dev.spindle.internal.report", "dev.spindle.internal.wait");
                    assertThat(exported.targets()).allMatch(target -> target.startsWith("dev.spindle."));
                });
        assertThat(CoreModule.descriptor().opens()).isEmpty();
    }
}
