// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.architecture.steps;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Handle;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/** A loader that adds to the methods of the library calls of {@link Steps}. */
final class CountingLoader extends ClassLoader {
    private static final String LIBRARY = "dev.spindle.";
    private static final String HERE = CountingLoader.class.getPackageName() + ".";
    private static final String STEPS = Type.getInternalName(Steps.class);

    private final List<String> types = new ArrayList<>();

    private CountingLoader() {
        super(CountingLoader.class.getClassLoader());
    }

    /** Runs the program {@link Walks} with the classes of a counting loader. */
    public static void main(String[] arguments) throws Exception {
        Class<?> walks = new CountingLoader().loadClass(HERE + "Walks");
        ((Runnable) walks.getDeclaredConstructor().newInstance()).run();
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        if (!name.startsWith(LIBRARY) || (name.startsWith(HERE) && !name.startsWith(HERE + "Walks"))) {
            return super.loadClass(name, resolve);
        }
        synchronized (getClassLoadingLock(name)) {
            Class<?> loaded = findLoadedClass(name);
            return loaded != null ? loaded : define(name);
        }
    }

    private Class<?> define(String name) throws ClassNotFoundException {
        try (InputStream in = CountingLoader.class.getResourceAsStream("/" + name.replace('.', '/') + ".class")) {
            if (in == null) {
                throw new ClassNotFoundException(name);
            }
            byte[] bytes = in.readAllBytes();
            byte[] counting = name.startsWith(HERE) ? bytes : counting(name, bytes);
            return defineClass(name, counting, 0, counting.length);
        } catch (IOException e) {
            throw new ClassNotFoundException(name, e);
        }
    }

    private synchronized byte[] counting(String name, byte[] bytes) {
        int number = types.size();
        types.add(name);
        ClassReader reader = new ClassReader(bytes);
        ClassWriter writer = new ClassWriter(reader, ClassWriter.COMPUTE_MAXS);
        reader.accept(
                new ClassVisitor(Opcodes.ASM9, writer) {
                    @Override
                    public MethodVisitor visitMethod(
                            int access,
                            String method,
                            String descriptor,
                            @Nullable String signature,
                            String @Nullable [] exceptions) {
                        return new Counting(
                                super.visitMethod(access, method, descriptor, signature, exceptions), number);
                    }
                },
                0);
        return writer.toByteArray();
    }

    private static final class Counting extends MethodVisitor {
        private final int type;

        Counting(MethodVisitor to, int type) {
            super(Opcodes.ASM9, to);
            this.type = type;
        }

        private void count(@Nullable Step step) {
            if (step != null) {
                call("count", step.index);
            }
        }

        private void call(String method, int argument) {
            super.visitLdcInsn(argument);
            super.visitMethodInsn(Opcodes.INVOKESTATIC, STEPS, method, "(I)V", false);
        }

        @Override
        public void visitCode() {
            super.visitCode();
            call("call", type);
        }

        @Override
        public void visitMethodInsn(int opcode, String owner, String name, String descriptor, boolean isInterface) {
            count(Step.ofCall(owner, name));
            super.visitMethodInsn(opcode, owner, name, descriptor, isInterface);
        }

        @Override
        public void visitTypeInsn(int opcode, String of) {
            super.visitTypeInsn(opcode, of);
            count(opcode == Opcodes.NEW || opcode == Opcodes.ANEWARRAY ? Step.OBJECT : null);
        }

        @Override
        public void visitIntInsn(int opcode, int operand) {
            count(opcode == Opcodes.NEWARRAY ? Step.OBJECT : null);
            super.visitIntInsn(opcode, operand);
        }

        @Override
        public void visitInvokeDynamicInsn(String name, String descriptor, Handle by, Object... arguments) {
            count(Type.getArgumentTypes(descriptor).length > 0 ? Step.OBJECT : null); // an object that captures
            super.visitInvokeDynamicInsn(name, descriptor, by, arguments);
        }
    }
}
