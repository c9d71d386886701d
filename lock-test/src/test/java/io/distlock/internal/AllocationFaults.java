package io.distlock.internal;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.URL;
import java.util.Set;
import java.util.regex.Pattern;

import net.bytebuddy.jar.asm.ClassReader;
import net.bytebuddy.jar.asm.ClassVisitor;
import net.bytebuddy.jar.asm.ClassWriter;
import net.bytebuddy.jar.asm.Handle;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;
import org.jspecify.annotations.Nullable;

/**
 * All classes of this project once more. Those of the product report each allocation to
 * {@link AllocationFault} before it happens: objects, arrays, capturing lambdas, joined
 * strings, and the calls of the JDK that allocate. Initializers of classes do not. Tests
 * and the test kit do not: a virtual clock that failed would no longer tell the truth
 * about the thread that waits.
 */
public final class AllocationFaults extends ClassLoader {

	private static final String OURS = "io.distlock.";

	private static final String FAULT = AllocationFault.class.getName();

	/** Where tests are, of this module or of another one. */
	private static final Pattern TESTS = Pattern.compile("/test-classes/|-tests\\.jar!");

	private static final String TEST_KIT = OURS + "test.";

	private static final Set<String> ALLOCATING = Set.of("of", "copyOf", "add", "addLast", "put", "putIfAbsent",
			"merge", "compute", "computeIfAbsent", "whenComplete", "handle", "thenCompose", "thenApply", "thenRun",
			"thenAccept", "exceptionally", "thenCombine", "completedFuture", "failedFuture", "stream", "map", "filter",
			"toList", "collect", "execute", "schedule", "start");

	public AllocationFaults() {
		super(AllocationFaults.class.getClassLoader());
	}

	/**
	 * Calls a method of an object made without arguments.
	 * @param type the class
	 * @param method the name of the method
	 * @param argument its argument
	 * @throws Throwable what the method throws
	 */
	public void run(Class<?> type, String method, String argument) throws Throwable {
		Class<?> loaded = loadClass(type.getName());
		Constructor<?> constructor = loaded.getDeclaredConstructor();
		constructor.setAccessible(true);
		Method called = loaded.getDeclaredMethod(method, String.class);
		called.setAccessible(true);
		try {
			called.invoke(constructor.newInstance(), argument);
		}
		catch (InvocationTargetException ex) {
			throw ex.getCause();
		}
	}

	@Override
	protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
		if (!name.startsWith(OURS) || name.equals(FAULT)) {
			return super.loadClass(name, resolve);
		}
		synchronized (getClassLoadingLock(name)) {
			Class<?> known = findLoadedClass(name);
			return (known != null) ? known : define(name);
		}
	}

	private Class<?> define(String name) throws ClassNotFoundException {
		URL file = getParent().getResource(name.replace('.', '/') + ".class");
		if (file == null) {
			throw new ClassNotFoundException(name);
		}
		try (InputStream in = file.openStream()) {
			byte[] bytes = in.readAllBytes();
			boolean tool = TESTS.matcher(file.getPath()).find() || name.startsWith(TEST_KIT);
			byte[] defined = tool ? bytes : instrumented(bytes);
			return defineClass(name, defined, 0, defined.length);
		}
		catch (IOException ex) {
			throw new ClassNotFoundException(name, ex);
		}
	}

	private static byte[] instrumented(byte[] bytes) {
		ClassReader reader = new ClassReader(bytes);
		ClassWriter writer = new ClassWriter(reader, ClassWriter.COMPUTE_MAXS);
		String type = reader.getClassName().substring(reader.getClassName().lastIndexOf('/') + 1);
		reader.accept(new ClassVisitor(Opcodes.ASM9, writer) {
			@Override
			public MethodVisitor visitMethod(int access, String name, String descriptor, @Nullable String signature,
					String @Nullable [] exceptions) {
				MethodVisitor method = super.visitMethod(access, name, descriptor, signature, exceptions);
				// A class that could not be initialized stays unusable, which no code can
				// help.
				return name.equals("<clinit>") ? method : new Allocations(type + "." + name, method);
			}
		}, 0);
		return writer.toByteArray();
	}

	/** Reports the allocations of one method. */
	private static final class Allocations extends MethodVisitor {

		private final String place;

		Allocations(String place, MethodVisitor method) {
			super(Opcodes.ASM9, method);
			this.place = place;
		}

		private void report(String what) {
			super.visitLdcInsn(this.place + " " + what);
			super.visitMethodInsn(Opcodes.INVOKESTATIC, FAULT.replace('.', '/'), "allocates", "(Ljava/lang/String;)V",
					false);
		}

		@Override
		public void visitTypeInsn(int opcode, String type) {
			super.visitTypeInsn(opcode, type);
			// Frames know an object without a constructor call by the place of this
			// instruction, so nothing may come between.
			if (opcode == Opcodes.NEW || opcode == Opcodes.ANEWARRAY) {
				report("new " + type.substring(type.lastIndexOf('/') + 1));
			}
		}

		@Override
		public void visitIntInsn(int opcode, int operand) {
			if (opcode == Opcodes.NEWARRAY) {
				report("new array");
			}
			super.visitIntInsn(opcode, operand);
		}

		@Override
		public void visitInvokeDynamicInsn(String name, String descriptor, Handle bootstrap, Object... arguments) {
			if (!descriptor.startsWith("()")) {
				report("lambda or text " + name);
			}
			super.visitInvokeDynamicInsn(name, descriptor, bootstrap, arguments);
		}

		@Override
		public void visitMethodInsn(int opcode, String owner, String name, String descriptor, boolean isInterface) {
			boolean ofNothing = name.equals("of") && descriptor.startsWith("()");
			if (owner.startsWith("java/") && ALLOCATING.contains(name) && !ofNothing) {
				report("call " + owner.substring(owner.lastIndexOf('/') + 1) + "." + name);
			}
			super.visitMethodInsn(opcode, owner, name, descriptor, isInterface);
		}

	}

}
