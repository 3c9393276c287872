// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.lang.invoke.MethodHandles;

/**
 * Checks that the calling thread has stack left for a step that must not end half-way. A {@link StackOverflowError} in
 * such a step would leave, for example, a lock held, or a lane that has a task and is not ready, and where it is caught
 * there is no more room than where it was thrown.
 *
 * <p>Compiled code checks on entry what the methods inlined into it require. So nothing that is called during a step
 * may require headroom of the size of that step, on any branch.
 */
public final class Headroom {
    private static final Frame ONCE = frame(8);
    private static final Frame TWICE = frame(16);
    private static final Frame THRICE = frame(24);

    /** Always 0; not final, so that the compiler cannot fold it. */
    @SuppressWarnings("FieldMayBeFinal")
    private static int never;

    private Headroom() {}

    /**
     * Throws a {@link StackOverflowError} if the caller has less than 8 KiB of stack, about twice the deepest stack of
     * a submit. Called before any state has changed.
     */
    public static void require() {
        ONCE.reserve(never);
    }

    /** Does the same for a step that itself submits or sets a time limit, and needs 16 KiB. */
    public static void requireTwice() {
        TWICE.reserve(never);
    }

    /** Does the same for a call in which such steps may follow at once, and which needs 24 KiB. */
    public static void requireThrice() {
        THRICE.reserve(never);
    }

    /** A method with a large frame, in a class that is made at run time. */
    abstract static class Frame {
        /**
         * Returns if the frame fits on the stack. Compiled code touches the stack as far as an interpreted frame would
         * reach, since it would deoptimize to that frame at the branch that is never taken.
         */
        abstract void reserve(int never);
    }

    /**
     * Returns a frame of {@code kib} KiB. Its class is assembled here, since Java source can enlarge a frame only by
     * declaring a thousand variables.
     */
    private static Frame frame(int kib) {
        try {
            return (Frame) MethodHandles.lookup()
                    .defineHiddenClass(assemble(kib * 1024 / Long.BYTES), true)
                    .lookupClass()
                    .getDeclaredConstructor()
                    .newInstance();
        } catch (ReflectiveOperationException | IOException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** Returns a class {@code HeadroomFrame extends Frame}; its {@code reserve} throws unless {@code never} is 0. */
    private static byte[] assemble(int variables) throws IOException {
        String own = Headroom.class.getName().replace('.', '/') + "Frame";
        String[] texts = {
            own, Frame.class.getName().replace('.', '/'), "<init>", "()V", "reserve", "(I)V", "Code", "StackMapTable"
        };
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream to = new DataOutputStream(bytes);
        to.writeInt(0xCAFEBABE);
        to.writeInt(61); // the version of Java 17
        to.writeShort(texts.length + 5); // constants: the texts are 1 to 8
        for (String text : texts) {
            to.writeByte(1);
            to.writeUTF(text);
        }
        write(to, 7, 0, 1); // 9: class HeadroomFrame
        write(to, 7, 0, 2); // 10: class Frame
        write(to, 12, 0, 3, 0, 4); // 11: name and type of the constructor
        write(to, 10, 0, 10, 0, 11); // 12: the constructor of Frame
        write(to, 0, 0x20, 0, 9, 0, 10, 0, 0, 0, 0, 0, 2); // flags, class, superclass, no fields, two methods
        write(to, 0, 0, 0, 3, 0, 4, 0, 1, 0, 7, 0, 0, 0, 17); // the constructor; its code has 17 bytes
        write(to, 0, 1, 0, 1, 0, 0, 0, 5, 0x2a, 0xb7, 0, 12, 0xb1, 0, 0, 0, 0); // aload_0, invokespecial 12, return
        write(to, 0, 0, 0, 5, 0, 6, 0, 1, 0, 7, 0, 0, 0, 28); // reserve
        to.writeShort(1);
        to.writeShort(variables);
        write(to, 0, 0, 0, 7, 0x1b, 0x99, 0, 5, 1, 0xbf, 0xb1); // iload_1, ifeq 6, aconst_null, athrow, 6: return
        write(to, 0, 0, 0, 1, 0, 8, 0, 0, 0, 3, 0, 1, 6, 0, 0); // the verifier's frame at 6; no attributes
        return bytes.toByteArray();
    }

    private static void write(DataOutputStream to, int... all) throws IOException {
        for (int each : all) {
            to.writeByte(each);
        }
    }
}
