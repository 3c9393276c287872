// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.observe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.spindle.Spindle;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import javax.management.JMX;
import javax.management.MBeanAttributeInfo;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class SpindleManagementTest {
    private final MBeanServer server = ManagementFactory.getPlatformMBeanServer();

    @Test
    void register_attributesAndOperations_areThoseOfTheSpindle() throws Exception {
        try (Spindle spindle = Spindle.builder()
                .name("shop: a,b*")
                .maxThreads(3)
                .coreThreads(1)
                .build()) {
            ObjectName name = SpindleManagement.register(spindle).objectName();
            CountDownLatch go = new CountDownLatch(1);
            CountDownLatch begun = new CountDownLatch(1);
            spindle.keyed("orders").execute("order-12", () -> {
                begun.countDown();
                try {
                    go.await();
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            });
            spindle.keyed("orders").execute("order-12", () -> {});
            begun.await();

            SpindleMXBean bean = JMX.newMXBeanProxy(server, name, SpindleMXBean.class);

            assertThat(bean.getName()).isEqualTo("shop: a,b*");
            assertThat(bean.getMaxThreads()).isEqualTo(3);
            assertThat(bean.getRunning()).isEqualTo(1);
            assertThat(bean.getPending()).isEqualTo(1);
            assertThat(bean.getKeys()).isEqualTo(1);
            assertThat(bean.running()).singleElement().asString().contains("orders/order-12");
            assertThat(bean.busiest(1)).singleElement().asString().contains("1 pending");
            assertThat(bean.waits()).isEmpty();
            go.countDown();
        }
    }

    @Test
    void attributes_allOfThem_areReadable() throws Exception {
        try (Spindle spindle = Spindle.builder().name("all").build()) {
            ObjectName name = SpindleManagement.register(spindle).objectName();
            String[] attributes = Arrays.stream(server.getMBeanInfo(name).getAttributes())
                    .map(MBeanAttributeInfo::getName)
                    .toArray(String[]::new);

            assertThat(attributes).hasSize(20);
            assertThat(server.getAttributes(name, attributes).asList()).hasSize(20);
        }
    }

    @Test
    void u3_endOfTheSpindle_unregisters() {
        Spindle spindle = Spindle.builder().name("brief").build();
        ObjectName name = SpindleManagement.register(spindle).objectName();
        assertThat(server.isRegistered(name)).isTrue();

        spindle.close();

        assertThat(server.isRegistered(name)).isFalse();
    }

    @Test
    void close_unregistersAndAllowsAnother() {
        try (Spindle spindle = Spindle.builder().name("twice").build()) {
            SpindleManagement first = SpindleManagement.register(spindle);

            assertThatThrownBy(() -> SpindleManagement.register(spindle))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("twice");
            first.close();
            first.close();
            assertThat(server.isRegistered(first.objectName())).isFalse();
            SpindleManagement second = SpindleManagement.register(spindle);
            assertThat(server.isRegistered(second.objectName())).isTrue();
        }
    }

    @Test
    void register_ofASpindleThatHasEnded_leavesNothing() {
        Spindle spindle = Spindle.builder().name("ended").build();
        spindle.close();

        ObjectName name = SpindleManagement.register(spindle).objectName();

        assertThat(server.isRegistered(name)).isFalse();
    }
}
