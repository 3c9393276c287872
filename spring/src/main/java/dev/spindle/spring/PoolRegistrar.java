// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.spring;

import dev.spindle.Spindle;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.context.annotation.ImportBeanDefinitionRegistrar;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotationMetadata;

/**
 * Registers each pool of the properties as a bean. The beans are fallbacks: an {@code Executor} is injected as it was
 * before there were pools.
 */
final class PoolRegistrar implements ImportBeanDefinitionRegistrar {
    private final Environment environment;

    PoolRegistrar(Environment environment) {
        this.environment = environment;
    }

    @Override
    public void registerBeanDefinitions(AnnotationMetadata metadata, BeanDefinitionRegistry registry) {
        SpindleProperties properties = SpindleProperties.read(environment);
        properties.pools().forEach((name, pool) -> {
            if (registry.isBeanNameInUse(name)) {
                throw new SpindlePropertyException(
                        SpindleProperties.POOLS + "." + name,
                        ": the application has another bean with the name " + name,
                        "Give the pool or the bean another name.");
            }
            RootBeanDefinition definition = new RootBeanDefinition(
                    PoolFactoryBean.class,
                    () -> new PoolFactoryBean(name, pool, properties.phase(), properties.propagateContext()));
            definition.setAttribute(FactoryBean.OBJECT_TYPE_ATTRIBUTE, Spindle.class);
            definition.setFallback(true);
            definition.setResourceDescription(SpindleProperties.POOLS + "." + name);
            registry.registerBeanDefinition(name, definition);
        });
    }
}
