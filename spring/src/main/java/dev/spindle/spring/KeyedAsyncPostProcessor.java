// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.spring;

import java.lang.reflect.Method;
import org.springframework.aop.framework.autoproxy.AbstractBeanFactoryAwareAdvisingPostProcessor;
import org.springframework.aop.support.AopUtils;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.aop.support.StaticMethodMatcherPointcut;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;

/**
 * Makes calls of {@link KeyedAsync} methods run on a spindle. It adds an advisor to the proxy that a bean has, as its
 * first, so that transactions begin in the task; a second creator of proxies would advise a bean twice. Checks each
 * method when its bean is made, and its pool when all beans are.
 */
final class KeyedAsyncPostProcessor extends AbstractBeanFactoryAwareAdvisingPostProcessor
        implements SmartInitializingSingleton {
    private static final long serialVersionUID = 1;

    private transient KeyedMethods methods = new KeyedMethods();

    KeyedAsyncPostProcessor(boolean proxyTargetClass) {
        setProxyTargetClass(proxyTargetClass);
        setBeforeExistingAdvisors(true);
        advisor = new DefaultPointcutAdvisor(new Annotated(), new KeyedAsyncInterceptor(methods));
    }

    @Override
    public void setBeanFactory(BeanFactory beanFactory) {
        super.setBeanFactory(beanFactory);
        methods.setBeanFactory(beanFactory);
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String beanName) {
        Class<?> target = AopUtils.getTargetClass(bean);
        if (isEligible(target)) {
            methods.check(target);
        }
        return super.postProcessAfterInitialization(bean, beanName);
    }

    @Override
    public void afterSingletonsInstantiated() {
        methods.requirePools();
    }

    private static final class Annotated extends StaticMethodMatcherPointcut {
        @Override
        public boolean matches(Method method, Class<?> targetClass) {
            return KeyedMethods.annotation(AopUtils.getMostSpecificMethod(method, targetClass)) != null;
        }
    }
}
