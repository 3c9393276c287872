// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.spring;

import dev.spindle.Keyed;
import dev.spindle.Lane;
import dev.spindle.Spindle;
import dev.spindle.SpindleBuilder;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A method whose calls run on a spindle, one at a time for each key.
 *
 * <pre>{@code
 * @KeyedAsync(key = "#order.account")
 * public CompletableFuture<Receipt> book(Order order) { ... }
 * }</pre>
 *
 * <p>The caller evaluates the key and returns at once. Calls with equal keys run in the order in which they were made,
 * and see what the earlier ones wrote; calls with different keys run in parallel. A method returns nothing, a
 * {@link java.util.concurrent.CompletableFuture} or a {@link java.util.concurrent.CompletionStage}. If it returns a
 * stage, the key waits until that stage completes, and holds no thread. A null completes the caller's future with null.
 *
 * <p><b>Failures.</b> A throwable of the method goes to the caller's future; if the method returns nothing, it goes to
 * the {@linkplain SpindleBuilder#onFailure failure handler} of the spindle. If a key is null or cannot be evaluated, or
 * the spindle rejects the call, a method that returns a future returns one that has failed, and a method that returns
 * nothing throws.
 *
 * <p><b>At the start</b> the application is refused if an expression cannot be parsed, is empty, or names a parameter
 * that the method does not have; if the return type is another one; if a proxy cannot intercept the method, which is
 * private, static or final; or if there is no such pool.
 *
 * <p><b>Limits.</b> A call within the same object, {@code this.book(order)}, does not pass the proxy: it runs in the
 * calling thread, without order. Parameters need their names ({@code -parameters}, which Boot's plugins set);
 * otherwise use {@code #p0}. A task that waits for a call with its own key gets an {@link IllegalStateException}.
 */
@Target({ElementType.METHOD, ElementType.ANNOTATION_TYPE})
@Retention(RetentionPolicy.RUNTIME)
@Inherited
@Documented
public @interface KeyedAsync {
    /** Modes of calls. */
    enum Mode {
        /** Each call runs, in the order of the calls. */
        SEQUENTIAL,
        /**
         * A call that has not begun is superseded by a newer call of the same method with an equal key, which takes its
         * place. The last call always runs. The future of a superseded call is cancelled with a
         * {@link java.util.concurrent.CancellationException} that names method and key.
         */
        COALESCING
    }

    /**
     * The key, an expression of the Spring Expression Language: {@code "#order.account"}. Variables are the parameters,
     * by name, or by number as {@code #p0}; the root object is the target of the call, and {@code @name} is a bean.
     */
    String key();

    /** The mode. */
    Mode mode() default Mode.SEQUENTIAL;

    /** The name of the bean that is the {@link Spindle}. It may be left out if there is one such bean or a primary. */
    String pool() default "";

    /**
     * The {@linkplain Spindle#keyed key space}. Only calls in one space of one pool are in order. The default is the
     * simple name of the class that declares the method, so calls of its methods with equal keys are in one order. To
     * share an order with other classes, or with {@link Keyed} and {@link Lane}, name a space.
     */
    String space() default "";
}
