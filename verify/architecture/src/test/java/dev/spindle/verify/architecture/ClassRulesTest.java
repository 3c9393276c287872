// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.EvaluationResult;
import com.tngtech.archunit.lang.syntax.ArchRuleDefinition;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class ClassRulesTest {
    private static final String ROOT = "dev.spindle";
    private static final String FIXTURE = "dev.spindle.verify.architecture.fixture";
    private static final JavaClasses PROJECT = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages(ROOT);
    private static final JavaClasses CORE = PROJECT.that(CoreModule.contains());
    private static final String PIPELINE = ROOT + ".pipeline";
    private static final String ACTOR = ROOT + ".actor";
    private static final String CHANNEL = ROOT + ".channel";
    private static final JavaClasses MESSAGING =
            PROJECT.that(JavaClass.Predicates.resideInAnyPackage(PIPELINE, ACTOR, CHANNEL));
    private static final String FLOW_PACKAGE = ROOT + ".flow";
    private static final JavaClasses FLOW = PROJECT.that(JavaClass.Predicates.resideInAPackage(FLOW_PACKAGE + ".."));
    private static final String GATEWAY_PACKAGE = ROOT + ".gateway";
    private static final JavaClasses GATEWAY =
            PROJECT.that(JavaClass.Predicates.resideInAPackage(GATEWAY_PACKAGE + ".."));

    private static final String KAFKA_PACKAGE = ROOT + ".kafka";
    private static final JavaClasses KAFKA =
            PROJECT.that(JavaClass.Predicates.resideInAnyPackage(KAFKA_PACKAGE, KAFKA_PACKAGE + ".ledger"));

    /** What a program with a queue in one process loads. */
    private static final Set<String> WITHOUT_CLIENT = Set.of(
            "AsyncKeyedHandler",
            "Call",
            "Calls",
            "Coalesced",
            "Deferred",
            "FailurePolicy",
            "KeyedHandler",
            "KeyedQueue",
            "KeyedRecord",
            "LaneKeys",
            "LocalQueue",
            "Log",
            "Retries");

    private static final String OBSERVE_PACKAGE = ROOT + ".observe";
    private static final JavaClasses OBSERVE =
            PROJECT.that(JavaClass.Predicates.resideInAPackage(OBSERVE_PACKAGE + ".."));

    private static final String SPRING_PACKAGE = ROOT + ".spring";
    private static final JavaClasses SPRING = PROJECT.that(JavaClass.Predicates.resideInAPackage(SPRING_PACKAGE));

    /** The largest number of classes of a cycle, and the package with a larger one. */
    private static final int LARGEST_CYCLE = 6;

    private static final Map<String, Integer> LARGEST_CYCLES =
            Map.of(ROOT, 9); // the executors of the face and their builders

    private static final JavaClasses BROKEN = new ClassFileImporter().importPackages(FIXTURE);

    private static Stream<Arguments> rulesOfCore() {
        return Stream.of(
                Arguments.of("onlyTheJdk", ClassRules.dependsOnTheJdkAlone(ROOT)),
                Arguments.of("internalBelow", ClassRules.internalUsesTheValuesOfTheFaceAlone(ROOT)),
                Arguments.of("faceIsPublic", ClassRules.faceIsPublic(ROOT)),
                Arguments.of("internalHidden", ClassRules.internalStaysOutOfSignatures(ROOT)),
                Arguments.of("final", ClassRules.publicClassesAreFinal(ROOT)),
                Arguments.of("noUnsafe", ClassRules.noUnsafe()),
                Arguments.of("noSystemProperties", ClassRules.noSystemProperties()),
                Arguments.of("noConsole", ClassRules.noConsole()),
                Arguments.of("oneClock", ClassRules.oneClock(ROOT)),
                Arguments.of("noCycles", ClassRules.noCycles(ROOT)));
    }

    private static Stream<Arguments> rulesOfMessaging() {
        return Stream.of(
                Arguments.of("onlyTheJdk", ClassRules.dependsOnTheJdkAlone(ROOT)),
                Arguments.of("internalHidden", ClassRules.internalStaysOutOfSignatures(PIPELINE, ROOT)),
                Arguments.of("internalHiddenByActors", ClassRules.internalStaysOutOfSignatures(ACTOR, ROOT)),
                Arguments.of("internalHiddenByChannels", ClassRules.internalStaysOutOfSignatures(CHANNEL, ROOT)),
                Arguments.of("noPartOfInternal", ClassRules.usesNoPartOfInternal(ROOT)),
                Arguments.of("final", ClassRules.publicClassesAreFinal(PIPELINE)),
                Arguments.of("finalActors", ClassRules.publicClassesAreFinal(ACTOR)),
                Arguments.of("finalChannels", ClassRules.publicClassesAreFinal(CHANNEL)),
                Arguments.of("noUnsafe", ClassRules.noUnsafe()),
                Arguments.of("noSystemProperties", ClassRules.noSystemProperties()),
                Arguments.of("noConsole", ClassRules.noConsole()),
                Arguments.of("oneClock", ClassRules.oneClock(ROOT)));
    }

    private static Stream<Arguments> rulesOfGateway() {
        return Stream.of(
                Arguments.of(
                        "netty",
                        ClassRules.onlyIn(GATEWAY_PACKAGE + ".[admin|backend|loop|protocol|server]", "io.netty..")),
                Arguments.of(
                        "resilience4j", ClassRules.onlyIn(GATEWAY_PACKAGE + ".backend", "io.github.resilience4j..")),
                Arguments.of("yaml", ClassRules.onlyIn(GATEWAY_PACKAGE + ".config", "org.snakeyaml..")),
                Arguments.of("picocli", ClassRules.onlyIn(GATEWAY_PACKAGE + ".command", "picocli..")),
                Arguments.of("shown", ClassRules.signaturesShow(GATEWAY_PACKAGE, ROOT, GATEWAY_PACKAGE, "java..")),
                Arguments.of("final", ClassRules.publicClassesAreFinal(GATEWAY_PACKAGE)),
                Arguments.of("configFinal", ClassRules.publicClassesAreFinal(GATEWAY_PACKAGE + ".config")),
                Arguments.of("noUnsafe", ClassRules.noUnsafe()),
                Arguments.of("noSystemProperties", ClassRules.noSystemProperties()),
                Arguments.of("noConsole", ClassRules.noConsole()));
    }

    private static Stream<Arguments> rulesOfFlow() {
        return Stream.of(
                Arguments.of("onlyTheFaceOfCore", ClassRules.dependsOnTheFaceAlone(FLOW_PACKAGE + "..", ROOT)),
                Arguments.of("internalHidden", ClassRules.internalStaysOutOfSignatures(FLOW_PACKAGE, FLOW_PACKAGE)),
                Arguments.of("final", ClassRules.publicClassesAreFinal(FLOW_PACKAGE)),
                Arguments.of("finalInternal", ClassRules.publicClassesAreFinal(FLOW_PACKAGE + ".internal")),
                Arguments.of("noUnsafe", ClassRules.noUnsafe()),
                Arguments.of("noSystemProperties", ClassRules.noSystemProperties()),
                Arguments.of("noConsole", ClassRules.noConsole()),
                Arguments.of("oneClock", ClassRules.oneClock(ROOT)));
    }

    private static Stream<Arguments> rulesOfKafka() {
        return Stream.of(
                Arguments.of(
                        "coreAndTheClientAlone",
                        ClassRules.dependsOnTheFaceAlone(KAFKA_PACKAGE + "..", ROOT, "org.apache.kafka..")),
                Arguments.of("publicClient", ClassRules.usesThePublicClientAlone(KAFKA_PACKAGE + "..")),
                Arguments.of("withoutClient", ClassRules.doWithoutTheClient(KAFKA_PACKAGE, WITHOUT_CLIENT)),
                Arguments.of("internalHidden", ClassRules.internalStaysOutOfSignatures(KAFKA_PACKAGE, ROOT)),
                Arguments.of("final", ClassRules.publicClassesAreFinal(KAFKA_PACKAGE + "..")),
                Arguments.of("noUnsafe", ClassRules.noUnsafe()),
                Arguments.of("noSystemProperties", ClassRules.noSystemProperties()),
                Arguments.of("noConsole", ClassRules.noConsole()),
                Arguments.of("oneClock", ClassRules.oneClock(ROOT)));
    }

    private static Stream<Arguments> rulesOfObserve() {
        return Stream.of(
                Arguments.of("coreAlone", ClassRules.dependsOnTheSeamAlone(OBSERVE_PACKAGE + "..", ROOT)),
                Arguments.of("internalHidden", ClassRules.internalStaysOutOfSignatures(OBSERVE_PACKAGE + "..", ROOT)),
                Arguments.of(
                        "shown",
                        ClassRules.signaturesShow(
                                OBSERVE_PACKAGE + "..",
                                ROOT,
                                OBSERVE_PACKAGE + "..",
                                "java..",
                                "javax.management..",
                                "io.micrometer..")),
                Arguments.of("final", ClassRules.publicClassesAreFinal(OBSERVE_PACKAGE + "..")),
                Arguments.of("noUnsafe", ClassRules.noUnsafe()),
                Arguments.of("noSystemProperties", ClassRules.noSystemProperties()),
                Arguments.of("noConsole", ClassRules.noConsole()),
                Arguments.of("oneClock", ClassRules.oneClock(ROOT)));
    }

    private static Stream<Arguments> rulesOfSpring() {
        return Stream.of(
                Arguments.of(
                        "faceAndObserveAlone",
                        ClassRules.dependsOnTheFaceAlone(
                                SPRING_PACKAGE,
                                ROOT,
                                OBSERVE_PACKAGE,
                                "org.springframework..",
                                "org.aopalliance..",
                                "org.apache.commons.logging",
                                "io.micrometer..")),
                Arguments.of("healthOfBoot4", ClassRules.onlyInTypes("SpindleHealth", "..boot.health..")),
                Arguments.of("healthOfBoot3", ClassRules.onlyInTypes("SpindleBoot3Health", "..boot.actuate..health..")),
                Arguments.of("final", ClassRules.publicClassesAreFinal(SPRING_PACKAGE)),
                Arguments.of("noUnsafe", ClassRules.noUnsafe()),
                Arguments.of("noSystemProperties", ClassRules.noSystemProperties()),
                Arguments.of("noConsole", ClassRules.noConsole()),
                Arguments.of("oneClock", ClassRules.oneClock(ROOT)));
    }

    private static Stream<Arguments> rulesOnBrokenClasses() {
        return Stream.of(
                Arguments.of(ClassRules.dependsOnTheJdkAlone(FIXTURE), "UsesLibrary"),
                Arguments.of(ClassRules.dependsOnTheFaceAlone(FIXTURE + ".none", FIXTURE), "ExtendsInternal"),
                Arguments.of(ClassRules.dependsOnTheSeamAlone(FIXTURE + "..", FIXTURE + ".none"), "UsesLibrary"),
                Arguments.of(ClassRules.internalUsesTheValuesOfTheFaceAlone(FIXTURE), "LooksUp"),
                Arguments.of(ClassRules.faceIsPublic(FIXTURE), "Behind"),
                Arguments.of(ClassCycles.none(2, Map.of()), "cycle.First"),
                Arguments.of(ClassRules.layerUsesWhatIsBelow(FIXTURE, FIXTURE + ".internal.queue"), "LooksAside"),
                Arguments.of(ClassRules.usesNoPartOfInternal(FIXTURE), "UsesPart"),
                Arguments.of(ClassRules.internalStaysOutOfSignatures(FIXTURE), "ShowsInternal.parameter"),
                Arguments.of(ClassRules.internalStaysOutOfSignatures(FIXTURE), "ShowsInternal.generic"),
                Arguments.of(ClassRules.internalStaysOutOfSignatures(FIXTURE), "ShowsInternal.field"),
                Arguments.of(ClassRules.internalStaysOutOfSignatures(FIXTURE), "ExtendsInternal"),
                Arguments.of(ClassRules.signaturesShow(FIXTURE, FIXTURE, "java.."), "ShowsInternal.parameter"),
                Arguments.of(ClassRules.publicClassesAreFinal(FIXTURE), "ExtendsInternal"),
                Arguments.of(ClassRules.noSystemProperties(), "ReadsProperty"),
                Arguments.of(ClassRules.noConsole(), "Prints"),
                Arguments.of(ClassRules.oneClock(FIXTURE), "ReadsClock"),
                Arguments.of(ClassRules.onlyInTypes("Other", "org.assertj.."), "UsesLibrary"),
                Arguments.of(ClassRules.noCycles(FIXTURE), "LooksUp"));
    }

    @Test
    void imported_classes_areThoseOfTheProject() {
        assertThat(CORE.contain("dev.spindle.Spindle")).isTrue();
        assertThat(MESSAGING.contain("dev.spindle.pipeline.Pipeline")).isTrue();
        assertThat(MESSAGING.contain("dev.spindle.actor.Actors")).isTrue();
        assertThat(MESSAGING.contain("dev.spindle.channel.Channel")).isTrue();
        assertThat(FLOW.contain("dev.spindle.flow.Endpoint")).isTrue();
        assertThat(PROJECT.contain("dev.spindle.demo.Main")).isTrue();
        assertThat(SPRING.contain("dev.spindle.spring.KeyedAsync")).isTrue();
        assertThat(CORE.contain("dev.spindle.demo.Main")).isFalse();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("rulesOfCore")
    void rule_onCore_holds(String name, ArchRule rule) {
        rule.check(CORE);
    }

    private static Set<String> layers() {
        return ClassRules.layers(ROOT).keySet();
    }

    @ParameterizedTest
    @MethodSource("layers")
    void layer_ofInternal_usesWhatIsBelowIt(String layer) {
        ClassRules.layerUsesWhatIsBelow(ROOT, layer).check(CORE);
    }

    @Test
    void layers_areAllPackagesOfInternal() {
        assertThat(CORE.that(JavaClass.Predicates.resideInAPackage(ROOT + ".internal..")).stream()
                        .map(JavaClass::getPackageName))
                .hasSameElementsAs(layers());
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("rulesOfMessaging")
    void rule_onMessaging_holds(String name, ArchRule rule) {
        rule.check(MESSAGING);
    }

    /** Otherwise a first {@code ./spindle demo} downloads libraries of the comparisons. */
    @Test
    void demoAndExamples_needNoLibraryButPicocli() {
        ArchRuleDefinition.noClasses()
                .that()
                .resideInAnyPackage("dev.spindle.demo..", "dev.spindle.examples..")
                .and()
                .resideOutsideOfPackages(
                        "dev.spindle.demo.gateway..", "dev.spindle.demo.kafka..") // modules of their own
                .should()
                .dependOnClassesThat()
                .resideOutsideOfPackages(
                        "java..",
                        "dev.spindle",
                        "dev.spindle.actor",
                        "dev.spindle.channel",
                        "dev.spindle.pipeline",
                        "dev.spindle.commands",
                        "dev.spindle.demo..",
                        "dev.spindle.examples..",
                        "dev.spindle.observe.dashboard",
                        "com.sun.net.httpserver",
                        "picocli..",
                        "org.jspecify..")
                .check(PROJECT);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("rulesOfFlow")
    void rule_onFlow_holds(String name, ArchRule rule) {
        rule.check(FLOW);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("rulesOfGateway")
    void rule_onGateway_holds(String name, ArchRule rule) {
        rule.check(GATEWAY);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("rulesOfKafka")
    void rule_onKafka_holds(String name, ArchRule rule) {
        rule.check(KAFKA);
    }

    /** The client's public classes use its internals. */
    @Test
    void usesThePublicClientAlone_onTheClientItself_findsIt() {
        JavaClasses client =
                new ClassFileImporter().importClasses(org.apache.kafka.clients.consumer.KafkaConsumer.class);

        assertThat(ClassRules.usesThePublicClientAlone("org.apache.kafka..")
                        .evaluate(client)
                        .hasViolation())
                .isTrue();
        assertThat(ClassRules.doWithoutTheClient("org.apache.kafka.clients.consumer", Set.of("KafkaConsumer"))
                        .evaluate(client)
                        .hasViolation())
                .isTrue();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("rulesOfSpring")
    void rule_onSpring_holds(String name, ArchRule rule) {
        rule.check(SPRING);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("rulesOfObserve")
    void rule_onObserve_holds(String name, ArchRule rule) {
        rule.check(OBSERVE);
    }

    @Test
    void kafkaTestkit_isFinalAndUsesThePublicClientAlone() {
        ClassRules.publicClassesAreFinal(KAFKA_PACKAGE + ".testkit").check(PROJECT);
        ClassRules.usesThePublicClientAlone(KAFKA_PACKAGE + ".testkit").check(PROJECT);
    }

    /** Programs that do not use Micrometer need no library of it. */
    @Test
    void micrometer_isKnownToItsBinderAlone() {
        ArchRuleDefinition.noClasses()
                .that()
                .haveNameNotMatching("dev\\.spindle\\.(observe\\.SpindleMetrics|benchmarks).*")
                .and()
                .haveNameNotMatching("dev\\.spindle\\.spring\\.(PoolMeters|SpindleMetrics).*")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("io.micrometer..")
                .check(PROJECT);
    }

    @Test
    void packages_ofTheWholeProject_haveNoCycles() {
        ClassRules.noCycles(ROOT).check(PROJECT);
    }

    @Test
    void classes_ofTheWholeProject_haveNoLargeCycles() {
        ClassCycles.none(LARGEST_CYCLE, LARGEST_CYCLES).check(PROJECT);
    }

    @Test
    void cycles_ofThreeClasses_areFoundAboveTheLimitOfTheirPackage() {
        String own = FIXTURE + ".cycle";

        assertThat(ClassCycles.none(3, Map.of()).evaluate(BROKEN).hasViolation())
                .isFalse();
        assertThat(ClassCycles.none(2, Map.of(own, 3)).evaluate(BROKEN).hasViolation())
                .isFalse();
        assertThat(ClassCycles.none(2, Map.of(own, 2)).evaluate(BROKEN).hasViolation())
                .isTrue();
    }

    @Test
    void values_ofTheFace_areThoseThatInternalUses() {
        String internal = ROOT + ".internal";

        assertThat(CORE.stream()
                        .filter(type -> type.getPackageName().startsWith(internal))
                        .flatMap(type -> type.getDirectDependenciesFromSelf().stream())
                        .map(used -> used.getTargetClass())
                        .filter(used -> used.getPackageName().equals(ROOT))
                        .map(ClassCycles::outermost))
                .hasSameElementsAs(ClassRules.values(ROOT));
    }

    /** The broken class is the JDK's own map, since javac does not accept the import in ours. */
    @Test
    void noUnsafe_onAClassOfTheJdk_findsIt() {
        JavaClasses jdk = new ClassFileImporter().importClasses(ConcurrentHashMap.class);

        assertThat(ClassRules.noUnsafe().evaluate(jdk).hasViolation()).isTrue();
    }

    @ParameterizedTest(name = "{0}: {1}")
    @MethodSource("rulesOnBrokenClasses")
    void rule_onBrokenClasses_findsThem(ArchRule rule, String place) {
        EvaluationResult result = rule.evaluate(BROKEN);

        assertThat(result.hasViolation()).isTrue();
        assertThat(result.getFailureReport().getDetails()).anyMatch(detail -> detail.contains(place));
    }
}
