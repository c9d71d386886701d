package io.distlock.spring.startup;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

import org.jspecify.annotations.Nullable;

import org.springframework.asm.ClassReader;
import org.springframework.asm.ClassVisitor;
import org.springframework.asm.Handle;
import org.springframework.asm.Label;
import org.springframework.asm.MethodVisitor;
import org.springframework.asm.Opcodes;

/**
 * Reads one class file for calls of an object's own methods: calls and method references
 * in a statement that loads {@code this}, or {@code this$0} in an inner class, and has
 * not used it otherwise. It does not follow the operand stack, so it can be wrong about
 * unusual statements, in both directions.
 */
final class SelfCallReader extends ClassVisitor {

	private static final String OUTER = "this$0";

	/** Tag of the names of methods and fields that a class uses. */
	private static final int NAME_AND_TYPE = 12;

	/** How Kotlin calls a method with defaults for some arguments. */
	private static final String DEFAULT = "$default";

	private final AtomicReference<@Nullable String> file = new AtomicReference<>();

	private final List<SelfCall> found = new ArrayList<>();

	private final Set<String> inner = new LinkedHashSet<>();

	private final String type;

	private final Set<String> owners;

	/**
	 * Creates a reader.
	 * @param type internal name of the class to read
	 * @param owners internal names of the classes and interfaces of the object
	 */
	SelfCallReader(String type, Set<String> owners) {
		super(Opcodes.ASM9);
		this.type = type;
		this.owners = owners;
	}

	/**
	 * Whether a class calls or references a method of some name, of whatever class. That
	 * shows without its code.
	 */
	static boolean mentions(ClassReader file, Set<String> names) {
		char[] buffer = new char[file.getMaxStringLength()];
		for (int item = 1; item < file.getItemCount(); item++) {
			int content = file.getItem(item);
			if (content > 0 && file.readByte(content - 1) == NAME_AND_TYPE) {
				String name = file.readUTF8(content, buffer);
				if (name != null && names.contains(name.replace(DEFAULT, ""))) {
					return true;
				}
			}
		}
		return false;
	}

	List<SelfCall> found() {
		return this.found;
	}

	/** Internal names of the inner classes, which may call methods of this one. */
	Set<String> inner() {
		return this.inner;
	}

	@Override
	public void visitSource(@Nullable String source, @Nullable String debug) {
		this.file.set(source);
	}

	@Override
	public void visitInnerClass(String name, @Nullable String outerName, @Nullable String innerName, int access) {
		if (name.startsWith(this.type + "$") && (innerName == null || (access & Opcodes.ACC_STATIC) == 0)) {
			this.inner.add(name);
		}
	}

	@Override
	public @Nullable MethodVisitor visitMethod(int access, String name, String descriptor, @Nullable String signature,
			String @Nullable [] exceptions) {
		boolean bridge = (access & Opcodes.ACC_BRIDGE) != 0;
		boolean ofObject = (access & Opcodes.ACC_STATIC) == 0 || isKotlinLambda(name, descriptor);
		return bridge ? null : new Calls(name, name + descriptor, ofObject && this.owners.contains(this.type));
	}

	/** Kotlin compiles a lambda to a static method that takes the object first. */
	private boolean isKotlinLambda(String name, String descriptor) {
		return name.contains("$lambda$") && descriptor.startsWith("(L" + this.type + ";");
	}

	/**
	 * A call of an own method.
	 *
	 * @param type internal name of the calling class
	 * @param method name of the calling method
	 * @param caller name and descriptor of the calling method
	 * @param place file and line, as stack traces show it
	 * @param called name and descriptor of the called method
	 */
	record SelfCall(String type, String method, String caller, String place, String called) {
	}

	/** Counts the references to the object that the current statement has not used. */
	private final class Calls extends MethodVisitor {

		private final AtomicInteger line = new AtomicInteger();

		private final AtomicInteger unused = new AtomicInteger();

		private final AtomicInteger created = new AtomicInteger();

		private final String method;

		private final String caller;

		private final boolean hasThis;

		Calls(String method, String caller, boolean hasThis) {
			super(Opcodes.ASM9);
			this.method = method;
			this.caller = caller;
			this.hasThis = hasThis;
		}

		@Override
		public void visitLineNumber(int number, Label start) {
			this.line.set(number);
		}

		@Override
		public void visitVarInsn(int opcode, int variable) {
			if (opcode == Opcodes.ALOAD && variable == 0 && this.hasThis) {
				this.unused.incrementAndGet();
			}
			else if (opcode >= Opcodes.ISTORE) {
				this.unused.set(0);
			}
		}

		@Override
		public void visitFieldInsn(int opcode, String owner, String name, String descriptor) {
			if (opcode == Opcodes.GETFIELD && name.equals(OUTER)) {
				this.unused.incrementAndGet();
			}
			else if (opcode == Opcodes.GETFIELD) {
				if (SelfCallReader.this.owners.contains(owner)) {
					use();
				}
			}
			else if (opcode != Opcodes.GETSTATIC && !isStateOfInner(owner)) {
				this.unused.set(0);
			}
		}

		/** A coroutine notes how far it is while the arguments of a call are there. */
		private boolean isStateOfInner(String owner) {
			return owner.equals(SelfCallReader.this.type) && !SelfCallReader.this.owners.contains(owner);
		}

		@Override
		public void visitTypeInsn(int opcode, String created) {
			if (opcode == Opcodes.NEW) {
				this.created.incrementAndGet();
			}
		}

		@Override
		public void visitInsn(int opcode) {
			if (opcode == Opcodes.POP || opcode == Opcodes.POP2) {
				this.unused.set(0);
			}
		}

		@Override
		public void visitMethodInsn(int opcode, String owner, String name, String descriptor, boolean isInterface) {
			boolean own = SelfCallReader.this.owners.contains(owner);
			if (own && opcode != Opcodes.INVOKESTATIC) {
				call(name + descriptor);
			}
			else if (own && name.endsWith(DEFAULT)) {
				call(withoutDefaults(owner, name, descriptor));
			}
			// A statement ends with a method that returns nothing.
			if (name.equals("<init>") ? this.created.getAndUpdate((count) -> Math.max(0, count - 1)) == 0
					: descriptor.endsWith(")V")) {
				this.unused.set(0);
			}
		}

		@Override
		public void visitInvokeDynamicInsn(String name, String descriptor, Handle bootstrap, Object... arguments) {
			for (Object argument : arguments) {
				if (argument instanceof Handle called && SelfCallReader.this.owners.contains(called.getOwner())
						&& called.getTag() != Opcodes.H_INVOKESTATIC && !descriptor.startsWith("()")) {
					call(called.getName() + called.getDesc());
				}
			}
		}

		private void call(String called) {
			if (use()) {
				String source = SelfCallReader.this.file.get();
				SelfCallReader.this.found.add(new SelfCall(SelfCallReader.this.type, this.method, this.caller,
						((source != null) ? source : "line") + ":" + this.line, called));
			}
		}

		private boolean use() {
			return this.unused.getAndUpdate((count) -> Math.max(0, count - 1)) > 0;
		}

		/** Such a method takes the object first, and a bit mask and a marker last. */
		private static String withoutDefaults(String owner, String name, String descriptor) {
			return name.replace(DEFAULT, "")
					+ descriptor.replace("(L" + owner + ";", "(").replace("ILjava/lang/Object;)", ")");
		}

	}

}
