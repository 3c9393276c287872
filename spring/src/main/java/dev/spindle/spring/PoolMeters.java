// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.spring;

import dev.spindle.Spindle;
import dev.spindle.observe.SpindleMetrics;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.ListableBeanFactory;

/** The meters of all spindles of an application. */
final class PoolMeters implements MeterBinder, DisposableBean {
    private final ListableBeanFactory beans;
    private final List<SpindleMetrics> bound = new CopyOnWriteArrayList<>();

    PoolMeters(ListableBeanFactory beans) {
        this.beans = beans;
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        Collection<Spindle> spindles =
                beans.getBeansOfType(Spindle.class, false, false).values();
        for (Spindle spindle : spindles) {
            if (!spindle.isTerminated()) {
                SpindleMetrics metrics = new SpindleMetrics(spindle);
                bound.add(metrics);
                metrics.bindTo(registry);
            }
        }
    }

    @Override
    public void destroy() {
        bound.forEach(SpindleMetrics::close);
    }
}
