// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.packaging;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Projects of users compile against the built jars without a further jar, and run. */
class UserProjectsTest {
    private static final String[] DECLARED = {
        "dev.spindle.core",
        "dev.spindle.affinity",
        "dev.spindle.flow",
        "dev.spindle.gateway",
        "dev.spindle.messaging",
        "dev.spindle.observe",
        "dev.spindle.testkit"
    };

    @TempDir
    private Path folder = Path.of("");

    @BeforeEach
    void require() {
        Jars.require();
    }

    @Test
    void javac_classPathOfCoreAlone_compilesAndRuns() throws Exception {
        Path core = Jars.of("core");
        Commands.javac(folder, "-d", "classes", "-cp", core, Programs.hello(folder.resolve("src")));

        assertThat(Commands.jdk(folder, "java", "-cp", Commands.path(List.of(core, Path.of("classes"))), "app.Hello"))
                .isEqualToIgnoringNewLines("hello, 70");
    }

    @Test
    void javac_moduleInfoAndCoreAlone_compilesAndRuns() throws Exception {
        Path core = Jars.of("core");
        Path sources = folder.resolve("src");
        Path declaration = Programs.declaration(sources, "dev.spindle.core");
        Commands.javac(folder, "-d", "classes", "-p", core, declaration, Programs.hello(sources));

        String path = Commands.path(List.of(core, Path.of("classes")));
        assertThat(Commands.jdk(folder, "java", "-p", path, "-m", "app/app.Hello"))
                .isEqualToIgnoringNewLines("hello, 70");
    }

    @Test
    void javac_moduleInfoAndAllModules_compilesWithoutOptionalLibraries() throws Exception {
        Path sources = folder.resolve("src");
        Path declaration = Programs.declaration(sources, DECLARED);
        String path = Commands.path(modulePath());
        Commands.javac(folder, "-d", "classes", "-p", path, declaration, Programs.tour(sources));

        assertThat(path).doesNotContain("jspecify", "micrometer", "picocli", "resilience4j");
    }

    @Test
    void gradleLayout_compiledByJavac_runs() throws Exception {
        Programs.write(folder.resolve("settings.gradle.kts"), "rootProject.name = \"app\"\n");
        Programs.write(folder.resolve("build.gradle.kts"), """
                plugins { application }
                repositories { mavenLocal() }
                dependencies {
                    implementation(platform("dev.spindle:spindle-bom:%s"))
                    implementation("dev.spindle:spindle-core")
                }
                application { mainClass = "app.Hello" }
                """.formatted(Jars.VERSION));
        Path source = Programs.hello(folder.resolve("src/main/java"));
        Path classes = folder.resolve("build/classes/java/main");
        Commands.javac(folder, "-d", classes, "-cp", Jars.of("core"), source);

        String path = Commands.path(List.of(Jars.of("core"), classes));
        assertThat(Commands.jdk(folder, "java", "-cp", path, "app.Hello")).isEqualToIgnoringNewLines("hello, 70");
    }

    /** The local repository holds what an install of this build would put there, and the plugins of the build. */
    @Test
    void newMavenProject_withBomAndCore_compilesOffline() throws Exception {
        assumeTrue(Files.exists(Jars.ROOT.resolve("bom/.flattened-pom.xml")), "no flattened poms: run without -Dtest");
        Path repository = repository();
        Path project = folder.resolve("app");
        Programs.hello(project.resolve("src/main/java"));
        Programs.write(project.resolve("pom.xml"), """
                <project xmlns="http://maven.apache.org/POM/4.0.0">
                  <modelVersion>4.0.0</modelVersion>
                  <groupId>app</groupId>
                  <artifactId>app</artifactId>
                  <version>1</version>
                  <properties>
                    <maven.compiler.release>17</maven.compiler.release>
                    <project.build.sourceEncoding>UTF-8</project.build.sourceEncoding>
                  </properties>
                  <dependencyManagement>
                    <dependencies>
                      <dependency>
                        <groupId>dev.spindle</groupId>
                        <artifactId>spindle-bom</artifactId>
                        <version>%s</version>
                        <type>pom</type>
                        <scope>import</scope>
                      </dependency>
                    </dependencies>
                  </dependencyManagement>
                  <dependencies>
                    <dependency>
                      <groupId>dev.spindle</groupId>
                      <artifactId>spindle-core</artifactId>
                    </dependency>
                  </dependencies>
                  <build>
                    <plugins>
                      <plugin>
                        <artifactId>maven-resources-plugin</artifactId>
                        <version>%s</version>
                      </plugin>
                      <plugin>
                        <artifactId>maven-compiler-plugin</artifactId>
                        <version>%s</version>
                        <configuration>
                          <compilerArgs>
                            <arg>-Xlint:all</arg>
                            <arg>-Werror</arg>
                          </compilerArgs>
                        </configuration>
                      </plugin>
                    </plugins>
                  </build>
                </project>
                """.formatted(
                        Jars.VERSION, pinned("maven-resources-plugin"), pinned("maven-compiler-plugin")));
        Path maven = Path.of(Jars.property("packaging.maven"), "bin", "mvn");
        Commands.run(project, maven, "-o", "-B", "-q", "-Dmaven.repo.local=" + repository, "compile");

        String path = Commands.path(List.of(Jars.of("core"), project.resolve("target/classes")));
        assertThat(Commands.jdk(project, "java", "-cp", path, "app.Hello")).isEqualToIgnoringNewLines("hello, 70");
    }

    @Test
    void jlink_allModulesButThoseOfKafka_makesAnImageThatRuns() throws Exception {
        Path sources = folder.resolve("src");
        Path declaration = Programs.declaration(sources, DECLARED);
        String path = Commands.path(modulePath());
        Path hello = Programs.hello(sources);
        Commands.javac(folder, "-d", "classes", "-p", path, declaration, hello, Programs.tour(sources));
        List<Path> all = new ArrayList<>(modulePath());
        all.add(folder.resolve("classes"));
        Commands.jdk(folder, "jlink", "-p", Commands.path(all), "--add-modules", "app", "--output", "image");

        Path java = folder.resolve("image/bin/java");
        assertThat(Commands.run(folder, java, "-m", "app/app.Hello")).isEqualToIgnoringNewLines("hello, 70");
        assertThat(Commands.run(folder, java, "-m", "app/app.Tour")).contains("toured");
        assertThat(Commands.run(folder, java, "--list-modules"))
                .contains(DECLARED)
                .doesNotContain("jspecify", "kafka");
    }

    /** Returns the published modules that have a declaration, and the libraries that they require. */
    private static List<Path> modulePath() throws IOException {
        List<Path> path = new ArrayList<>();
        for (String module : Jars.modules()) {
            if (List.of(DECLARED).contains("dev.spindle." + module)) {
                path.add(Jars.of(module));
            }
        }
        path.addAll(Jars.libraries("netty-", "snakeyaml-engine-"));
        return path;
    }

    /** Returns a local repository: links to that of the build, and beside them what is published of this build. */
    private Path repository() throws IOException {
        Path used = Path.of(Jars.property("packaging.repository"));
        Path made = Files.createDirectories(folder.resolve("repository"));
        link(used, made, "dev");
        if (Files.isDirectory(used.resolve("dev"))) {
            link(used.resolve("dev"), Files.createDirectories(made.resolve("dev")), "spindle");
        }
        Path group = Files.createDirectories(made.resolve("dev/spindle"));
        put(group, "parent", "pom", Jars.ROOT.resolve(".flattened-pom.xml"));
        put(group, "bom", "pom", Jars.ROOT.resolve("bom/.flattened-pom.xml"));
        put(group, "core", "pom", Jars.ROOT.resolve("core/.flattened-pom.xml"));
        put(group, "core", "jar", Jars.of("core"));
        return made;
    }

    private static void link(Path from, Path to, String without) throws IOException {
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(from)) {
            for (Path entry : entries) {
                Path name = requireNonNull(entry.getFileName());
                if (!name.toString().equals(without)) {
                    Files.createSymbolicLink(to.resolve(name), entry);
                }
            }
        }
    }

    private static void put(Path group, String module, String type, Path file) throws IOException {
        String artifact = "spindle-" + module;
        Path folder = Files.createDirectories(group.resolve(artifact).resolve(Jars.VERSION));
        Files.copy(file, folder.resolve(artifact + "-" + Jars.VERSION + "." + type));
    }

    /** Returns the version of a plugin in the root pom. */
    private static String pinned(String plugin) throws IOException {
        Matcher version = Pattern.compile("<artifactId>" + plugin + "</artifactId>\\s*<version>([^<]+)")
                .matcher(Files.readString(Jars.ROOT.resolve("pom.xml")));
        assertThat(version.find()).as(plugin).isTrue();
        return requireNonNull(version.group(1));
    }
}
