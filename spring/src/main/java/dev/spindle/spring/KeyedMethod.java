// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.spring;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.context.expression.BeanFactoryResolver;
import org.springframework.context.expression.MethodBasedEvaluationContext;
import org.springframework.core.DefaultParameterNameDiscoverer;
import org.springframework.core.ParameterNameDiscoverer;
import org.springframework.expression.EvaluationException;
import org.springframework.expression.ParseException;
import org.springframework.expression.spel.SpelNode;
import org.springframework.expression.spel.ast.FunctionReference;
import org.springframework.expression.spel.ast.VariableReference;
import org.springframework.expression.spel.standard.SpelExpression;
import org.springframework.expression.spel.standard.SpelExpressionParser;

/** A {@link KeyedAsync} method, whose annotation has been checked. Immutable, thread-safe. */
final class KeyedMethod {
    private static final ParameterNameDiscoverer NAMES = new DefaultParameterNameDiscoverer();

    private final Method method;
    private final KeyedAsync annotation;
    private final SpelExpression key;

    /**
     * Checks a method.
     *
     * @throws IllegalStateException if the method cannot be what its annotation says
     */
    KeyedMethod(Method method) {
        this.method = method;
        annotation = Objects.requireNonNull(KeyedMethods.annotation(method), "annotation");
        Class<?> type = method.getReturnType();
        if (!returnsNothing() && type != CompletableFuture.class && type != CompletionStage.class) {
            throw refused("the method returns " + type.getSimpleName()
                    + ", but its result does not exist when the call returns: let it return void,"
                    + " CompletableFuture or CompletionStage");
        }
        int modifiers = method.getModifiers();
        if (Modifier.isPrivate(modifiers) || Modifier.isStatic(modifiers) || Modifier.isFinal(modifiers)) {
            throw refused("a proxy cannot intercept a method that is "
                    + Modifier.toString(modifiers & (Modifier.PRIVATE | Modifier.STATIC | Modifier.FINAL))
                    + ": remove the modifier");
        }
        if (annotation.key().isBlank()) {
            throw refused("the key is empty: give it an expression, such as key = \"#p0\"");
        }
        try {
            key = new SpelExpressionParser().parseRaw(annotation.key());
        } catch (ParseException malformed) {
            throw refused("the key " + annotation.key() + " is not an expression: " + malformed.getMessage());
        }
        checkVariables();
    }

    private void checkVariables() {
        String[] parameters = NAMES.getParameterNames(method);
        List<String> known = new ArrayList<>(List.of("root", "this"));
        if (parameters != null) {
            known.addAll(List.of(parameters));
        }
        for (int i = 0; i < method.getParameterCount(); i++) {
            known.add("p" + i);
            known.add("a" + i);
        }
        List<String> used = new ArrayList<>();
        addVariables(key.getAST(), used);
        for (String name : used) {
            if (!known.contains(name)) {
                throw refused("the key " + annotation.key() + " names #" + name + ", and the parameters are "
                        + (parameters != null
                                ? List.of(parameters)
                                : "not known by name: compile with -parameters, or write #p0"));
            }
        }
    }

    private static void addVariables(SpelNode node, List<String> names) {
        if (node instanceof VariableReference || node instanceof FunctionReference) {
            names.add(node.toStringAST().substring(1));
        }
        for (int i = 0; i < node.getChildCount(); i++) {
            addVariables(node.getChild(i), names);
        }
    }

    /**
     * Returns the key of a call.
     *
     * @throws IllegalArgumentException if it cannot be evaluated, or is null
     */
    Object key(@Nullable Object target, @Nullable Object[] arguments, BeanFactory beans) {
        Object value;
        try {
            @SuppressWarnings("NullAway") // the target of a static method alone is null
            MethodBasedEvaluationContext context = new MethodBasedEvaluationContext(target, method, arguments, NAMES);
            context.setBeanResolver(new BeanFactoryResolver(beans));
            value = key.getValue(context);
        } catch (EvaluationException failure) {
            throw new IllegalArgumentException(
                    "the key " + annotation.key() + " of " + this + " cannot be evaluated: " + failure.getMessage(),
                    failure);
        }
        if (value == null) {
            throw new IllegalArgumentException("the key " + annotation.key() + " of " + this + " is null");
        }
        return value;
    }

    /** Returns true if the method is void. */
    boolean returnsNothing() {
        return method.getReturnType() == void.class;
    }

    boolean isCoalescing() {
        return annotation.mode() == KeyedAsync.Mode.COALESCING;
    }

    String space() {
        String space = annotation.space();
        return space.isBlank() ? method.getDeclaringClass().getSimpleName() : space;
    }

    String pool() {
        return annotation.pool();
    }

    /** Returns the exception for a method that cannot be what its annotation says. */
    IllegalStateException refused(String problem) {
        return new IllegalStateException("@KeyedAsync of " + this + ": " + problem);
    }

    /** Returns the class and the name of the method. */
    @Override
    public String toString() {
        return method.getDeclaringClass().getSimpleName() + "." + method.getName();
    }
}
