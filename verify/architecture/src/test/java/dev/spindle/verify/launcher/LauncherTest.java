// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.verify.launcher.FeignedClone.Result;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LauncherTest {
    @TempDir
    Path directory;

    private FeignedClone clone;

    @BeforeEach
    void feign() throws Exception {
        clone = new FeignedClone(directory);
    }

    @Test
    void firstRun_nothingBuilt_buildsThenHandsArgumentsOver() throws Exception {
        Result result = clone.run("demo", "--file", "a b", "");

        assertThat(result.status()).as(result.err()).isZero();
        assertThat(result.out()).endsWith("<dev.spindle.demo.Main><demo><--file><a b><>");
        assertThat(result.out())
                .contains("a clone/demo/target/classes:" + clone.root().resolve("pom.xml"));
        assertThat(result.err())
                .contains("building the command line, the first time only")
                .contains("  Spindle Core");
        assertThat(clone.mavenRuns()).hasSize(1);
    }

    @Test
    void demo_firstRun_buildsNothingThatNeedsOtherLibraries() throws Exception {
        clone.run("demo");

        assertThat(clone.mavenRuns()).singleElement().asString().contains("-pl demo -am");
    }

    @ParameterizedTest
    @CsvSource({
        "bench, --help, benchmarks, dev.spindle.benchmarks.Main",
        "bench, gateway, benchmarks/gateway, dev.spindle.benchmarks.gateway.GatewayMain",
        "bench, kafka, benchmarks/kafka, dev.spindle.benchmarks.kafka.KafkaMain",
        "gateway, --help, demo/gateway, dev.spindle.demo.gateway.GatewayMain",
        "kafka, demo, demo/kafka, dev.spindle.demo.kafka.KafkaMain",
        "torture, --help, verify/torture, dev.spindle.verify.Main",
        "handovers, --help, verify/torture, dev.spindle.verify.Main"
    })
    void command_ofAnotherModule_isBuiltWhenAskedFor(String command, String argument, String module, String main)
            throws Exception {
        clone.run("demo");
        clone.maven(FeignedClone.build(module, clone.root().resolve("pom.xml")));

        Result result = clone.run(command, argument);

        assertThat(result.out()).endsWith("<" + main + "><" + command + "><" + argument + ">");
        assertThat(result.err()).contains("building '" + command);
        assertThat(clone.mavenRuns().get(1)).contains("-pl " + module + " -am");
    }

    @Test
    void secondRun_nothingChanged_buildsNothingAndSaysNothing() throws Exception {
        clone.run();

        Result result = clone.run("demo");

        assertThat(clone.mavenRuns()).hasSize(1);
        assertThat(result.err()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"core/src/main/java/Spindle.java", "demo/pom.xml", "demo/src/launcher/launcher.classpath"})
    void nextRun_sourceNewer_buildsAgain(String source) throws Exception {
        clone.run();
        clone.edit(source);

        assertThat(clone.run().err()).contains("sources have changed");
        assertThat(clone.mavenRuns()).hasSize(2);
    }

    @Test
    void nextRun_libraryGone_buildsAgain() throws Exception {
        Path library = Files.createFile(directory.resolve("library.jar"));
        clone.maven(FeignedClone.build("demo", library));
        clone.run();
        Files.delete(library);

        clone.run();

        assertThat(clone.mavenRuns()).hasSize(2);
    }

    @Test
    void nextRun_withoutMavenButBuilt_runs() throws Exception {
        clone.run();
        clone.remove("mvn");

        assertThat(clone.run("demo").status()).isZero();
    }

    @Test
    void launcher_throughLinksFromElsewhere_findsItsClone() throws Exception {
        Path other = Files.createDirectories(directory.resolve("other"));
        Path absolute =
                Files.createSymbolicLink(other.resolve("absolute"), clone.root().resolve("spindle"));
        Path relative = Files.createSymbolicLink(other.resolve("relative"), Path.of("absolute"));

        for (Path link : new Path[] {absolute, relative}) {
            Result result = clone.run(link, other, Map.of(), "demo");
            assertThat(result.status()).as(result.err()).isZero();
        }
        assertThat(Files.exists(clone.root().resolve("demo/target/launcher.built")))
                .isTrue();
        assertThat(clone.mavenRuns()).hasSize(1);
    }

    @Test
    void options_fromTheEnvironment_reachTheJvm() throws Exception {
        Result result = clone.run(
                clone.root().resolve("spindle"), clone.root(), Map.of("SPINDLE_JAVA_OPTS", "-Xmx64m -ea"), "demo");

        assertThat(result.out()).startsWith("<-Xmx64m><-ea><-cp>");
    }

    @Test
    void java_thatWarnsAboutUnsafe_isToldNotTo() throws Exception {
        clone.java("25.0.3");

        assertThat(clone.run().out()).startsWith("<--sun-misc-unsafe-memory-access=allow>");
    }

    @Test
    void java_missing_isNamedWithTheRemedy() throws Exception {
        clone.remove("java");

        assertFailure(clone.run(), "no 'java' on the PATH", "Install a JDK 17 or newer");
    }

    @Test
    void java_tooOld_isNamedWithItsVersion() throws Exception {
        clone.java("11.0.2");
        assertFailure(clone.run(), "Java 11.0.2", "needs 17 or newer");

        clone.java("1.8.0_402");
        assertFailure(clone.run(), "Java 1.8.0_402", "needs 17 or newer");
    }

    @Test
    void javaHome_withoutJava_isNamed() throws Exception {
        Result result =
                clone.run(clone.root().resolve("spindle"), clone.root(), Map.of("JAVA_HOME", "/no/such/jdk"), "demo");

        assertFailure(result, "'/no/such/jdk'", "no bin/java");
    }

    @Test
    void compiler_missing_isToldApartFromJava() throws Exception {
        clone.remove("javac");

        assertFailure(clone.run(), "without a compiler", "openjdk-17-jdk-headless");
    }

    @Test
    void maven_missing_isNamedWithTheRemedy() throws Exception {
        clone.remove("mvn");

        assertFailure(clone.run(), "no 'mvn' on the PATH", "apt-get install maven");
    }

    @Test
    void build_failed_showsTheErrorsAndIsTriedAgain() throws Exception {
        clone.maven("echo '[INFO] chatter'", "echo '[ERROR] Foo.java:[1,2] broken'", "exit 1");

        assertFailure(clone.run(), "Foo.java:[1,2] broken", "launcher.log");
        assertThat(clone.run().err()).doesNotContain("chatter");
        assertThat(clone.mavenRuns()).hasSize(2);
    }

    private static void assertFailure(Result result, String... words) {
        assertThat(result.status()).isEqualTo(1);
        assertThat(result.out()).isEmpty();
        assertThat(result.err()).contains(words);
    }
}
