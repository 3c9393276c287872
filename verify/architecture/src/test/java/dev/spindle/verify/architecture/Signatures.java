// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.architecture;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaMember;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.domain.JavaType;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.util.Set;
import java.util.stream.Stream;

/** The types that users of a type can see: its supertypes, and the types in its public and protected members. */
final class Signatures {
    private Signatures() {}

    static DescribedPredicate<JavaClass> visible() {
        return DescribedPredicate.describe("visible from outside", Signatures::isVisible);
    }

    static ArchCondition<JavaClass> notName(DescribedPredicate<JavaClass> hidden) {
        return new ArchCondition<>("not name types that " + hidden.getDescription()) {
            @Override
            public void check(JavaClass type, ConditionEvents events) {
                Stream.concat(type.getSuperclass().stream(), type.getInterfaces().stream())
                        .flatMap(Signatures::raw)
                        .filter(hidden)
                        .forEach(found -> report(type, type.getDescription(), found, events));
                for (JavaMember member : type.getMembers()) {
                    if (isOpen(member)) {
                        types(member)
                                .filter(hidden)
                                .distinct()
                                .forEach(found -> report(type, member.getDescription(), found, events));
                    }
                }
            }
        };
    }

    private static void report(JavaClass type, String place, JavaClass found, ConditionEvents events) {
        events.add(SimpleConditionEvent.violated(type, place + " shows " + found.getName()));
    }

    private static boolean isVisible(JavaClass type) {
        return isOpen(type.getModifiers())
                && type.getEnclosingClass().map(Signatures::isVisible).orElse(true);
    }

    /** Protected members of a final class count too, although no user can see them: they are rare. */
    private static boolean isOpen(JavaMember member) {
        return isOpen(member.getModifiers()) && !member.getModifiers().contains(JavaModifier.SYNTHETIC);
    }

    private static boolean isOpen(Set<JavaModifier> modifiers) {
        return modifiers.contains(JavaModifier.PUBLIC) || modifiers.contains(JavaModifier.PROTECTED);
    }

    private static Stream<JavaClass> types(JavaMember member) {
        if (member instanceof JavaCodeUnit code) {
            return Stream.of(
                            raw(code.getReturnType()),
                            code.getParameterTypes().stream().flatMap(Signatures::raw),
                            code.getTypeParameters().stream().flatMap(Signatures::raw),
                            code.getExceptionTypes().stream())
                    .flatMap(types -> types);
        }
        return member.getAllInvolvedRawTypes().stream().filter(type -> !type.equals(member.getOwner()));
    }

    private static Stream<JavaClass> raw(JavaType type) {
        return type.getAllInvolvedRawTypes().stream();
    }
}
