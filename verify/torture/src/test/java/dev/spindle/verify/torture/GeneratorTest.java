// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.torture;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.verify.torture.tools.Threads;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class GeneratorTest {
    private static final int MOST = 10_000;

    @Test
    void program_isThatOfItsSeed() {
        assertThat(Generator.of(42, MOST)).isEqualTo(Generator.of(42, MOST)).isNotEqualTo(Generator.of(43, MOST));
    }

    @Test
    void programs_ofManySeeds_useEverything() {
        Set<Op> ops = EnumSet.noneOf(Op.class);
        Set<Step.Does> does = EnumSet.noneOf(Step.Does.class);
        Set<Step.Then> then = EnumSet.noneOf(Step.Then.class);
        Set<Program.How> how = EnumSet.noneOf(Program.How.class);
        Set<Program.After> after = EnumSet.noneOf(Program.After.class);
        Set<Program.Policy> policies = EnumSet.noneOf(Program.Policy.class);
        Set<Threads.Kind> threads = EnumSet.noneOf(Threads.Kind.class);
        Set<Integer> fixed = new HashSet<>();
        for (long seed = 0; seed < 300; seed++) {
            Program program = Generator.of(seed, MOST);
            assertThat(program.tasks()).isLessThan(2 * MOST);
            assertThat(program.pool().max()).isBetween(program.pool().core(), 36);
            for (Program.Producer producer : program.producers()) {
                collect(producer.steps(), ops, does, then);
            }
            program.stops().forEach(stop -> {
                how.add(stop.how());
                after.add(stop.after());
            });
            policies.add(program.pool().onFull());
            program.pool().views().forEach(view -> policies.add(view.onFull()));
            threads.add(program.pool().threads());
            if (program.pool().core() == program.pool().max()) {
                fixed.add(program.pool().max());
            }
        }
        assertThat(ops).containsExactlyInAnyOrder(Op.values());
        assertThat(does).containsExactlyInAnyOrder(Step.Does.values());
        assertThat(then).containsExactlyInAnyOrder(Step.Then.values());
        assertThat(how).containsExactlyInAnyOrder(Program.How.values());
        assertThat(after).containsExactlyInAnyOrder(Program.After.values());
        assertThat(policies).containsExactlyInAnyOrder(Program.Policy.values());
        assertThat(threads).containsExactlyInAnyOrder(Threads.Kind.values());
        assertThat(fixed).contains(1, 2);
    }

    private static void collect(List<Step> steps, Set<Op> ops, Set<Step.Does> does, Set<Step.Then> then) {
        for (Step step : steps) {
            ops.add(step.op());
            does.add(step.does());
            then.add(step.then());
            collect(step.inner(), ops, does, then);
        }
    }

    @Test
    void layout_numbersEveryTaskOnce() {
        for (long seed = 0; seed < 50; seed++) {
            Program program = Generator.of(seed, MOST);
            Layout layout = new Layout(program);

            assertThat((long) layout.tasks()).isEqualTo(program.tasks());
            int next = 0;
            for (Layout.Part part : layout.parts()) {
                for (int round = 0; round < part.rounds(); round++) {
                    for (Layout.Act act : part.tasks()) {
                        assertThat(part.start(round) + act.offset()).isEqualTo(next);
                        assertThat(layout.act(next)).isSameAs(act);
                        next++;
                    }
                }
            }
        }
    }
}
