// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static java.util.Objects.requireNonNull;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaCall;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.library.GeneralCodingRules;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Rules on compiled classes. {@code root} is the exported package, and {@code root.internal} is below it. */
final class ClassRules {
    private static final Set<String> PROPERTIES = Set.of(
            "java.lang.System.getProperty",
            "java.lang.System.getProperties",
            "java.lang.System.getenv",
            "java.lang.Boolean.getBoolean",
            "java.lang.Integer.getInteger",
            "java.lang.Long.getLong");
    private static final Set<String> CLOCKS = Set.of(
            "java.lang.System.nanoTime",
            "java.lang.System.currentTimeMillis",
            "java.time.Clock.systemUTC",
            "java.time.Instant.now");

    private ClassRules() {}

    static ArchRule dependsOnTheJdkAlone(String root) {
        return classes()
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(root + "..", "java..", "jdk.jfr..", "org.jspecify..")
                .as("core depends on the JDK alone");
    }

    /**
     * Returns the rule for the package {@code own}, which may use the exported package {@code face}, its time limits,
     * contexts, check of the stack and reports, but nothing else below it.
     */
    static ArchRule dependsOnTheFaceAlone(String own, String face, String... libraries) {
        Set<String> seam = Set.of(
                face + ".internal.TimeLimit",
                face + ".internal.TimeLimits",
                face + ".internal.HandedContext",
                face + ".internal.HandedContext$Code",
                face + ".internal.Headroom",
                face + ".internal.Pool",
                face + ".internal.SpindlePart",
                face + ".internal.SpindlePart$FigureList",
                face + ".internal.SpindlePart$Kind",
                face + ".internal.SpindleParts",
                face + ".internal.report.Figures");
        return classes()
                .should()
                .onlyDependOnClassesThat(DescribedPredicate.describe(
                        "are allowed",
                        type -> JavaClass.Predicates.resideInAnyPackage(own, face, "java..", "org.jspecify..")
                                        .test(type)
                                || JavaClass.Predicates.resideInAnyPackage(libraries)
                                        .test(type)
                                || seam.contains(type.getName())))
                .as("depends on the exported package of core alone");
    }

    /** Returns the rule for the package {@code own}: of Kafka's client, it uses what the client documents as public. */
    static ArchRule usesThePublicClientAlone(String own) {
        return noClasses()
                .that()
                .resideInAPackage(own)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("org.apache.kafka.common.utils..", "org.apache.kafka..internals..")
                .as("no internals of Kafka's client");
    }

    /** Returns the rule for the classes of {@code own} that a program without Kafka's client loads. */
    static ArchRule doWithoutTheClient(String own, Set<String> names) {
        return noClasses()
                .that(DescribedPredicate.describe(
                        "run without the client",
                        type -> type.getPackageName().equals(own + ".ledger")
                                || names.stream()
                                        .anyMatch(name ->
                                                ClassCycles.outermost(type).equals(own + "." + name))))
                .should()
                .dependOnClassesThat()
                .resideInAPackage("org.apache.kafka..")
                .as("the ledger, and the queue in one process, need no client");
    }

    /** Returns the rule for packages {@code own}, which show what the seam of core, {@code face.internal}, lists. */
    static ArchRule dependsOnTheSeamAlone(String own, String face) {
        return classes()
                .that()
                .resideInAPackage(own)
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(
                        own,
                        face,
                        face + ".internal",
                        face + ".internal.report",
                        "java..",
                        "javax.management..",
                        "com.sun.net.httpserver..",
                        "io.micrometer..",
                        "org.jspecify..")
                .as("depends on core and on what it reports to alone");
    }

    /** The types of {@code root} that {@code root.internal} may use: values, and interfaces that users implement. */
    static Set<String> values(String root) {
        return Stream.of(
                        "Activity",
                        "CoalescingTask",
                        "SequentialTask",
                        "SpindleStats",
                        "Stats",
                        "Unfinished",
                        "WaitEdge")
                .map(name -> root + "." + name)
                .collect(Collectors.toUnmodifiableSet());
    }

    private static DescribedPredicate<JavaClass> isAValue(String root) {
        return DescribedPredicate.describe(
                "are values of " + root, type -> values(root).contains(ClassCycles.outermost(type)));
    }

    static ArchRule internalUsesTheValuesOfTheFaceAlone(String root) {
        String internal = root + ".internal..";
        return noClasses()
                .that()
                .resideInAPackage(internal)
                .should()
                .dependOnClassesThat(JavaClass.Predicates.resideInAPackage(root + "..")
                        .and(JavaClass.Predicates.resideOutsideOfPackage(internal))
                        .and(DescribedPredicate.not(isAValue(root))))
                .as("internal uses the values of the face and nothing else above it");
    }

    /** All types of {@code root} are public but {@code TaskService}, which has the methods that executors share. */
    static ArchRule faceIsPublic(String root) {
        return classes()
                .that()
                .resideInAPackage(root)
                .and()
                .areTopLevelClasses()
                .and()
                .doNotHaveSimpleName("package-info")
                .and()
                .doNotHaveSimpleName("TaskService")
                .should()
                .bePublic()
                .as("the face holds public types alone");
    }

    /**
     * Returns the packages below {@code root.internal}, {@code internal} itself included, each with the packages that
     * it may use, all of which are below it.
     */
    static Map<String, Set<String>> layers(String root) {
        String internal = root + ".internal";
        Map<String, Set<String>> below = new TreeMap<>();
        below.put(internal, Set.of());
        below.put(
                internal + ".executor",
                Set.of(
                        internal,
                        internal + ".jfr",
                        internal + ".lane",
                        internal + ".limit",
                        internal + ".queue",
                        internal + ".report",
                        internal + ".stage",
                        internal + ".timer",
                        internal + ".wait"));
        below.put(internal + ".jfr", Set.of(internal, internal + ".report"));
        below.put(
                internal + ".stuck",
                Set.of(
                        internal,
                        internal + ".executor",
                        internal + ".jfr",
                        internal + ".lane",
                        internal + ".limit",
                        internal + ".queue",
                        internal + ".report"));
        below.put(internal + ".report", Set.of());
        below.put(internal + ".timer", Set.of(internal));
        below.put(internal + ".queue", Set.of(internal));
        below.put(internal + ".limit", Set.of(internal, internal + ".queue", internal + ".wait"));
        below.put(internal + ".lane", Set.of(internal, internal + ".limit"));
        below.put(internal + ".over", Set.of(internal, internal + ".lane"));
        below.put(internal + ".stage", Set.of(internal, internal + ".lane"));
        below.put(internal + ".wait", Set.of(internal));
        below.put(
                internal + ".pool",
                Set.of(
                        internal,
                        internal + ".jfr",
                        internal + ".pool.size",
                        internal + ".pool.wake",
                        internal + ".pool.watch",
                        internal + ".queue"));
        below.put(internal + ".pool.wake", Set.of(internal));
        below.put(internal + ".pool.watch", Set.of(internal, internal + ".pool.size", internal + ".queue"));
        below.put(internal + ".pool.size", Set.of());
        return below;
    }

    /** Returns the rule for one of the {@link #layers}: it uses those below it and no others. */
    static ArchRule layerUsesWhatIsBelow(String root, String layer) {
        Set<String> used = requireNonNull(layers(root).get(layer), layer);
        return noClasses()
                .that()
                .resideInAPackage(layer)
                .should()
                .dependOnClassesThat(JavaClass.Predicates.resideInAPackage(root + ".internal..")
                        .and(DescribedPredicate.describe(
                                "are not below " + layer,
                                type -> !type.getPackageName().equals(layer) && !used.contains(type.getPackageName()))))
                .as(layer + " uses no part of internal but " + used);
    }

    /**
     * Returns the rule for another module of the library, which may use {@code root.internal} itself, its values of
     * reports, its queue of waiters and its procedure of a close, but no other package below it.
     */
    static ArchRule usesNoPartOfInternal(String root) {
        return noClasses()
                .should()
                .dependOnClassesThat(JavaClass.Predicates.resideInAPackage(root + ".internal.*..")
                        .and(JavaClass.Predicates.resideOutsideOfPackages(
                                root + ".internal.report", root + ".internal.wait")))
                .as("other modules use no part of internal but values, the queue of waiters, and the close");
    }

    static ArchRule internalStaysOutOfSignatures(String root) {
        return internalStaysOutOfSignatures(root, root);
    }

    /** Returns the rule for the package {@code face}, which may use packages below {@code root}. */
    static ArchRule internalStaysOutOfSignatures(String face, String root) {
        return classes()
                .that()
                .resideInAPackage(face)
                .and(Signatures.visible())
                .should(Signatures.notName(JavaClass.Predicates.resideInAPackage(root + ".internal..")))
                .as("no internal type shows in a public signature");
    }

    /**
     * Returns the rule for the package {@code face}: its signatures show types of {@code allowed} packages alone, those
     * that its module has or requires transitively. The compiler's own check also warns of annotations, for which no
     * user needs a jar.
     */
    static ArchRule signaturesShow(String face, String... allowed) {
        return classes()
                .that()
                .resideInAPackage(face)
                .and(Signatures.visible())
                .should(Signatures.notName(JavaClass.Predicates.resideOutsideOfPackages(allowed)
                        .and(DescribedPredicate.describe("are no primitives", type -> !isPrimitive(type)))))
                .as("signatures of " + face + " show types of its own and of what it requires transitively");
    }

    private static boolean isPrimitive(JavaClass type) {
        return type.getBaseComponentType().isPrimitive();
    }

    /** Public classes are final: users extend interfaces. */
    static ArchRule publicClassesAreFinal(String root) {
        return classes()
                .that()
                .resideInAPackage(root)
                .and()
                .arePublic()
                .and()
                .areNotInterfaces()
                .should()
                .haveModifier(JavaModifier.FINAL)
                .as("public classes are final");
    }

    /** Only {@code owner} may use the packages of a library. */
    static ArchRule onlyIn(String owner, String library) {
        return noClasses()
                .that()
                .resideOutsideOfPackage(owner)
                .should()
                .dependOnClassesThat()
                .resideInAPackage(library)
                .as("only " + owner + " knows " + library);
    }

    /** Only types whose simple names begin with {@code names} may use the packages of a library. */
    static ArchRule onlyInTypes(String names, String library) {
        return noClasses()
                .that()
                .haveSimpleNameNotStartingWith(names)
                .should()
                .dependOnClassesThat()
                .resideInAPackage(library)
                .as("only " + names + "* knows " + library);
    }

    /** No cycle of packages, apart from the use of values of {@code root} by {@code root.internal}. */
    static ArchRule noCycles(String root) {
        return slices().assignedFrom(new SliceAssignment() {
                    @Override
                    public SliceIdentifier getIdentifierOf(JavaClass type) {
                        return SliceIdentifier.of(type.getPackageName());
                    }

                    @Override
                    public String getDescription() {
                        return "packages";
                    }
                })
                .should()
                .beFreeOfCycles()
                .ignoreDependency(JavaClass.Predicates.resideInAPackage(root + ".internal.."), isAValue(root));
    }

    static ArchRule noUnsafe() {
        return noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("sun..", "jdk.internal..")
                .as("no Unsafe, no internals of the JDK");
    }

    static ArchRule noSystemProperties() {
        return noClasses()
                .should()
                .callMethodWhere(calls("reads a system property or the environment", PROPERTIES::contains))
                .as("nothing is configured by system properties");
    }

    static ArchRule noConsole() {
        return GeneralCodingRules.NO_CLASSES_SHOULD_ACCESS_STANDARD_STREAMS;
    }

    static ArchRule oneClock(String root) {
        return noClasses()
                .that()
                .doNotHaveFullyQualifiedName(root + ".internal.executor.SystemClock")
                .should()
                .callMethodWhere(calls("reads a clock", CLOCKS::contains))
                .as("time comes from the injected clock");
    }

    private static DescribedPredicate<JavaCall<?>> calls(String description, Predicate<String> method) {
        return DescribedPredicate.describe(
                description, call -> method.test(call.getTargetOwner().getName() + "." + call.getName()));
    }
}
