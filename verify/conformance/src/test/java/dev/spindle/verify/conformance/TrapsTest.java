// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Mistakes that users of earlier drafts made, and that do not compile or are refused.
 *
 * <p>Other tests hold the rest: a stage as the result of a task, and {@code orTimeout} of an asynchronous task
 * ({@code KeyLaneTest}); two types of boxed numbers as keys ({@code KeySpaceContractTest}); tasks accepted by what is
 * built on a spindle that closes ({@code ActorCloseTest}, {@code ShutdownOfModelsTest}); a close of the gateway that
 * cuts off ({@code GatewayTest}).
 */
@Timeout(60)
class TrapsTest {
    @TempDir
    Path classes;

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            spindle.keyed()                                | spindle.keyed("accounts")
            lane.coalesce("alice", task)                   | lane.coalesce(task)
            lane.coalesceSlot(task, "slot")                | lane.coalesceSlot("slot", task)
            accounts.coalesce(task, "alice")               | accounts.coalesce("alice", task)
            spindle.executor("jdbc")                       | spindle.executor("jdbc", 10)
            spindle.executor(10, "jdbc")                   | spindle.executor("jdbc", 10)
            spindle.strandBuilder("s").threadFactory(null) | Strand.builder("s", threads, WaitStrategy.PARK)
            spindle.executorBuilder("e").onFull(full)      | spindle.executorBuilder("e").capacity(10, full)
            Spindle.callBlocking(() -> message.wait(1))     | Spindle.callBlocking(() -> { message.wait(1); return 1; })
            Endpoint.builder(spindle, "e", call).bulkhead(9, 3) | Endpoint.builder(spindle, "e", call).capacity(9)
            take(actors.actorBuilder("a", () -> (m, c) -> {}).build()) | take(actors.actor("a", () -> actor))
            Select.fair().receive(jobs, s -> s).await().trim() | Select.<String>fair().receive(jobs, s -> s).await()
            """)
    void mistake_doesNotCompile_andItsRemedyDoes(String mistake, String remedy) {
        assertThat(errorsOf(mistake)).as(mistake).isNotEmpty();
        assertThat(errorsOf(remedy)).as(remedy).isEmpty();
    }

    private String errorsOf(String expression) {
        String source = """
                import dev.spindle.*;
                import dev.spindle.actor.*;
                import dev.spindle.channel.*;
                import dev.spindle.flow.*;
                import java.time.Duration;
                import java.util.concurrent.ThreadFactory;

                class Use {
                    Object take(ActorRef<String> actor) {
                        return actor;
                    }

                    Object use(Spindle spindle, Lane lane, Keyed<String> accounts, Runnable task, ThreadFactory threads,
                            OnFull full, Call<Long, String> call, Actors actors, Actor<String> actor, String message,
                            Duration second, Channel<String> jobs) throws Exception {
                        return %s;
                    }
                }
                """.formatted(expression);
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StringWriter errors = new StringWriter();
        JavaFileObject file = new SimpleJavaFileObject(URI.create("string:///Use.java"), JavaFileObject.Kind.SOURCE) {
            @Override
            public CharSequence getCharContent(boolean ignoreEncodingErrors) {
                return source;
            }
        };
        List<String> options = List.of(
                "-proc:none",
                "-nowarn",
                "-d",
                classes.toString(),
                "-cp",
                String.valueOf(System.getProperty("java.class.path")));
        boolean compiled = compiler.getTask(errors, null, null, options, null, List.of(file))
                .call();
        return compiled ? "" : errors.toString();
    }
}
