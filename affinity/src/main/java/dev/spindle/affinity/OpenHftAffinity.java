// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.affinity;

import java.lang.System.Logger.Level;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.BitSet;

/**
 * The system calls of the OpenHFT affinity library. This class finds the methods of the library by name. The library
 * has no module name, so a module could not reliably require it. The library's own management of cores is not used,
 * since it never assigns core 0 and keeps a file for each core.
 */
final class OpenHftAffinity implements ThreadAffinity {
    /** The implementation used if the library is missing or does not work on this system. */
    private static final ThreadAffinity NONE = new ThreadAffinity() {
        @Override
        public BitSet allowed() {
            return new BitSet();
        }

        @Override
        public void allow(BitSet cores) {}
    };

    static final ThreadAffinity INSTANCE = find();

    private final MethodHandle get;
    private final MethodHandle set;

    private OpenHftAffinity() throws ReflectiveOperationException {
        Class<?> library = Class.forName("net.openhft.affinity.Affinity");
        MethodHandles.Lookup lookup = MethodHandles.publicLookup();
        get = lookup.findStatic(library, "getAffinity", MethodType.methodType(BitSet.class));
        set = lookup.findStatic(library, "setAffinity", MethodType.methodType(void.class, BitSet.class));
    }

    private static ThreadAffinity find() {
        try {
            ThreadAffinity found = new OpenHftAffinity();
            found.allowed(); // loads the native part of the library
            return found;
        } catch (ReflectiveOperationException | RuntimeException | LinkageError e) {
            System.getLogger(PinnedThreads.LOGGER)
                    .log(Level.WARNING, "the library net.openhft:affinity is missing or does not work here", e);
            return NONE;
        }
    }

    @Override
    public BitSet allowed() {
        try {
            return (BitSet) get.invokeExact();
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(e); // never thrown: the library declares no checked exception
        }
    }

    @Override
    public void allow(BitSet cores) {
        try {
            set.invokeExact(cores);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(e); // never thrown: the library declares no checked exception
        }
    }
}
