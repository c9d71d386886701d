package io.distlock.spring.startup;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

import org.jspecify.annotations.Nullable;

import org.springframework.asm.ClassReader;
import org.springframework.asm.ClassVisitor;
import org.springframework.asm.Handle;
import org.springframework.asm.Label;
import org.springframework.asm.MethodVisitor;
import org.springframework.asm.Opcodes;

/**
 * Reads one class file for calls and method references on {@code this}, and on
 * {@code this$0} in an inner class. It does not model the operand stack. Instead it
 * counts how often the object was loaded and not used yet. A call that returns nothing,
 * or the store of a result, ends the statement and the count. So an unusual statement can
 * cause a false warning or hide a call.
 */
final class SelfCallReader extends ClassVisitor {

	/** The suffix of the Kotlin method that fills in default arguments. */
	private static final String DEFAULT = "$default";

	/** Tag of a constant with the name of a method or field that a class uses. */
	private static final int NAME_AND_TYPE = 12;

	final List<SelfCall> calls = new ArrayList<>();

	/** Internal names of the inner classes, which may call methods of this one. */
	final Set<String> inner = new LinkedHashSet<>();

	private final String type;

	private final Set<String> owners;

	private String file = "line";

	/**
	 * Creates a reader from internal names: of the class to read, and of all types of the
	 * object.
	 */
	SelfCallReader(String type, Set<String> owners) {
		super(Opcodes.ASM9);
		this.type = type;
		this.owners = owners;
	}

	/** Returns whether a class mentions one of the names, without reading the code. */
	static boolean mentions(ClassReader file, Set<String> names) {
		char[] buffer = new char[file.getMaxStringLength()];
		return IntStream.range(1, file.getItemCount())
			.map(file::getItem)
			.filter((item) -> item > 0 && file.readByte(item - 1) == NAME_AND_TYPE)
			.mapToObj((item) -> file.readUTF8(item, buffer).replace(DEFAULT, ""))
			.anyMatch(names::contains);
	}

	@Override
	public void visitSource(@Nullable String source, @Nullable String debug) {
		this.file = (source != null) ? source : this.file;
	}

	@Override
	public void visitInnerClass(String name, @Nullable String outer, @Nullable String simpleName, int access) {
		if (name.startsWith(this.type + "$") && (simpleName == null || !isStatic(access))) {
			this.inner.add(name);
		}
	}

	@Override
	public MethodVisitor visitMethod(int access, String method, String descriptor, @Nullable String signature,
			String @Nullable [] exceptions) {
		// Kotlin moves the bodies of lambdas and suspend functions to static methods.
		boolean ofKotlin = (method.contains("$lambda$") || method.endsWith("$suspendImpl")) && takesObject(descriptor);
		boolean hasThis = isOwn(this.type) && (!isStatic(access) || ofKotlin);
		return new Code(method, descriptor, hasThis);
	}

	private static boolean isStatic(int access) {
		return (access & Opcodes.ACC_STATIC) != 0;
	}

	private boolean isOwn(String owner) {
		return this.owners.contains(owner);
	}

	private boolean takesObject(String descriptor) {
		return descriptor.startsWith("(L") && isOwn(descriptor.substring(2, descriptor.indexOf(';')));
	}

	/**
	 * Returns the descriptor without the parameters for defaults. Such a method takes the
	 * object first, and a bit mask and a marker last.
	 */
	private static String withoutDefaults(String owner, String called) {
		return called.replace(DEFAULT, "").replace("(L" + owner + ";", "(").replace("ILjava/lang/Object;)", ")");
	}

	/** Reads the code of one method. */
	private final class Code extends MethodVisitor {

		private final String method;

		private final String descriptor;

		private final boolean hasThis;

		private int line;

		/** How often the object was loaded and not used yet. */
		private int loaded;

		/** How many of the loaded references the top of the stack is, or was made of. */
		private int top;

		Code(String method, String descriptor, boolean hasThis) {
			super(Opcodes.ASM9);
			this.method = method;
			this.descriptor = descriptor;
			this.hasThis = hasThis;
		}

		private void load(boolean object) {
			this.top = object ? 1 : 0;
			this.loaded += this.top;
		}

		private void takeTop() {
			this.loaded = Math.max(0, this.loaded - this.top);
			this.top = 0;
		}

		private void use(boolean object, String used) {
			if (object && this.loaded > 0) {
				this.loaded--;
				SelfCallReader.this.calls.add(new SelfCall(SelfCallReader.this.type, this.method,
						this.method + this.descriptor, SelfCallReader.this.file + ":" + this.line, used));
			}
		}

		@Override
		public void visitLineNumber(int number, Label start) {
			this.line = number;
		}

		@Override
		public void visitVarInsn(int opcode, int variable) {
			if (opcode >= Opcodes.ISTORE) {
				takeTop();
			}
			load(opcode == Opcodes.ALOAD && variable == 0 && this.hasThis);
		}

		@Override
		public void visitInsn(int opcode) {
			switch (opcode) {
				case Opcodes.AASTORE, Opcodes.POP, Opcodes.POP2, Opcodes.MONITORENTER, Opcodes.ARETURN -> takeTop();
				default -> {
				}
			}
		}

		@Override
		public void visitTypeInsn(int opcode, String type) {
			if (opcode == Opcodes.INSTANCEOF) {
				takeTop();
			}
		}

		@Override
		public void visitJumpInsn(int opcode, Label label) {
			if (opcode == Opcodes.IF_ACMPEQ || opcode == Opcodes.IF_ACMPNE) {
				this.loaded = 0;
			}
			this.top = 0;
		}

		@Override
		public void visitFieldInsn(int opcode, String owner, String name, String type) {
			if (opcode == Opcodes.PUTFIELD || opcode == Opcodes.PUTSTATIC) {
				takeTop();
			}
			load(opcode == Opcodes.GETFIELD && name.startsWith("this$"));
			use((opcode == Opcodes.GETFIELD || opcode == Opcodes.PUTFIELD) && isOwn(owner), name);
		}

		@Override
		public void visitMethodInsn(int opcode, String owner, String name, String parameters, boolean ofInterface) {
			boolean withDefaults = isOwn(owner) && name.endsWith(DEFAULT);
			boolean hasOne = parameters.indexOf(';') + 1 == parameters.indexOf(')');
			boolean isArgument = takesObject(parameters) && (!hasOne || this.top > 0);
			use((isOwn(owner) && opcode != Opcodes.INVOKESTATIC) || withDefaults || isArgument,
					withDefaults ? withoutDefaults(owner, name + parameters) : name + parameters);
			if (parameters.endsWith(")V") && !name.equals("<init>")) {
				this.loaded = 0;
			}
			this.top = this.loaded;
		}

		@Override
		public void visitInvokeDynamicInsn(String name, String captured, Handle bootstrap, Object... arguments) {
			for (Object argument : arguments) {
				if (argument instanceof Handle called) {
					use(takesObject(captured), called.getName() + called.getDesc());
				}
			}
			this.top = this.loaded;
		}

	}

	/**
	 * A use of the object, with class, method, file and line of the use, and the called
	 * method.
	 */
	record SelfCall(String type, String method, String caller, String place, String called) {
	}

}
