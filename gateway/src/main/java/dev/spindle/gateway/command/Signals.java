// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway.command;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;

/**
 * Handlers of signals of the operating system. The class {@code sun.misc.Signal} is used by reflection, since javac
 * warns about it.
 *
 * <p>If the class or the signal does not exist, the signal keeps its default effect.
 */
public final class Signals {
    private Signals() {}

    /**
     * Runs {@code action} on a thread of the JVM whenever the process gets the signal.
     *
     * @param name the name without {@code SIG}, such as {@code TERM}
     * @return false if the signal cannot be handled; its effect has not changed
     */
    public static boolean on(String name, Runnable action) {
        try {
            Class<?> signal = Class.forName("sun.misc.Signal");
            Class<?> handler = Class.forName("sun.misc.SignalHandler");
            InvocationHandler call = (proxy, method, arguments) -> switch (method.getName()) {
                case "handle" -> {
                    action.run();
                    yield null;
                }
                case "equals" -> arguments != null && proxy == arguments[0];
                case "hashCode" -> System.identityHashCode(proxy);
                default -> "handler of " + name;
            };
            Object proxy = Proxy.newProxyInstance(Signals.class.getClassLoader(), new Class<?>[] {handler}, call);
            signal.getMethod("handle", signal, handler)
                    .invoke(null, signal.getConstructor(String.class).newInstance(name), proxy);
            return true;
        } catch (ReflectiveOperationException | IllegalArgumentException e) {
            return false;
        }
    }
}
