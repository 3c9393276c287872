// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.architecture;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.domain.JavaType;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The public face of packages: their public types, nested ones too, with their public methods. Methods that implement a
 * method of a type of the JDK, or of another public type, are left out, and so are the methods that each enum and
 * record has.
 */
final class Face {
    private static final Set<String> OF_ENUMS = Set.of("values", "valueOf");
    private static final Set<String> OF_RECORDS = Set.of("equals", "hashCode", "toString");

    private final JavaClasses classes;

    Face(JavaClasses classes) {
        this.classes = classes;
    }

    /** Returns the lines of the listing: for each package a line with its counts, then its types and methods. */
    List<String> lines(Collection<String> packages) {
        List<String> lines = new ArrayList<>();
        int allTypes = 0;
        int allMethods = 0;
        for (String of : packages) {
            List<String> listing = new ArrayList<>();
            int types = 0;
            int methods = 0;
            for (JavaClass type : types(of)) {
                types++;
                listing.add("  " + declaration(type));
                for (String method : methods(type)) {
                    methods++;
                    listing.add("    " + method);
                }
            }
            lines.add(of + ": " + types + " types, " + methods + " methods");
            lines.addAll(listing);
            allTypes += types;
            allMethods += methods;
        }
        lines.add("all: " + allTypes + " types, " + allMethods + " methods");
        return lines;
    }

    private List<JavaClass> types(String of) {
        return classes.that(DescribedPredicate.describe("public", Face::isPublic)).stream()
                .filter(type -> type.getPackageName().equals(of))
                .filter(type -> !type.getSimpleName().equals("package-info"))
                .sorted(Comparator.comparing(JavaClass::getName))
                .toList();
    }

    private static boolean isPublic(JavaClass type) {
        return type.getModifiers().contains(JavaModifier.PUBLIC)
                && type.getEnclosingClass().map(Face::isPublic).orElse(true);
    }

    private static String declaration(JavaClass type) {
        String supertypes = Stream.concat(type.getRawSuperclass().stream(), type.getRawInterfaces().stream())
                .filter(Face::isPublic)
                .map(JavaClass::getSimpleName)
                .filter(name -> !Set.of("Object", "Enum", "Record").contains(name))
                .sorted()
                .collect(Collectors.joining(", "));
        String kind = type.isEnum() ? "enum" : type.isRecord() ? "record" : type.isInterface() ? "interface" : "class";
        String constants = !type.isEnum()
                ? ""
                : type.getFields().stream()
                        .filter(field -> field.getRawType().equals(type))
                        .map(field -> field.getName())
                        .sorted()
                        .collect(Collectors.joining(" ", " ", ""));
        return kind + " " + nested(type) + (supertypes.isEmpty() ? "" : ": " + supertypes) + constants;
    }

    private static String nested(JavaClass type) {
        return type.getName().substring(type.getPackageName().length() + 1).replace('$', '.');
    }

    private static List<String> methods(JavaClass type) {
        return type.getMethods().stream()
                .filter(method -> method.getModifiers().contains(JavaModifier.PUBLIC))
                .filter(method -> !method.getModifiers().contains(JavaModifier.SYNTHETIC))
                .filter(method -> !(type.isEnum() && OF_ENUMS.contains(method.getName())))
                .filter(method -> !(type.isRecord() && OF_RECORDS.contains(method.getName())))
                .filter(method -> !isInherited(method))
                .map(Face::signature)
                .sorted()
                .toList();
    }

    /** Returns true if a public supertype declares the method, on this JDK or a later one. */
    private static boolean isInherited(JavaMethod method) {
        JavaClass owner = method.getOwner();
        boolean closes = method.getName().equals("close")
                && method.getRawParameterTypes().isEmpty();
        if (closes && owner.isAssignableTo(ExecutorService.class)) {
            return true; // a method of ExecutorService since JDK 19
        }
        return Stream.concat(owner.getAllRawSuperclasses().stream(), owner.getAllRawInterfaces().stream())
                .filter(Face::isPublic)
                .flatMap(type -> type.getMethods().stream())
                .anyMatch(other -> other.getName().equals(method.getName())
                        && other.getRawParameterTypes().equals(method.getRawParameterTypes()));
    }

    private static String signature(JavaMethod method) {
        boolean isStatic = method.getModifiers().contains(JavaModifier.STATIC);
        return (isStatic ? "static " : "") + method.getName()
                + method.getParameterTypes().stream().map(Face::name).collect(Collectors.joining(", ", "(", ")"))
                + ": " + name(method.getReturnType());
    }

    private static String name(JavaType type) {
        return type.getName().replaceAll("[a-z][\\w]*\\.", "").replace('$', '.');
    }
}
