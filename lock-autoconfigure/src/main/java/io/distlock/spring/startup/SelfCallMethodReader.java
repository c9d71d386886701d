package io.distlock.spring.startup;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

import org.springframework.asm.ConstantDynamic;
import org.springframework.asm.Handle;
import org.springframework.asm.Label;
import org.springframework.asm.MethodVisitor;
import org.springframework.asm.Opcodes;
import org.springframework.asm.Type;

/**
 * Follows the operand stack through one method and tells of calls, and method references,
 * whose receiver is {@code this}: what one local variable holds, or what the field
 * {@code this$0} of an inner class does. A copy of it in another variable or field is
 * taken for some other object. Tells where the arguments came from, too.
 */
final class SelfCallMethodReader extends MethodVisitor {

	/** Told of each call. */
	interface Calls {

		/**
		 * A call.
		 * @param owner internal name of the class that it names
		 * @param called name and descriptor of the method
		 * @param line in the source
		 * @param arguments for each the local variable of the caller that has it and is
		 * never changed, {@link OperandStack#UNKNOWN} for others and method references
		 */
		void found(String owner, String called, int line, List<Integer> arguments);

		/**
		 * A static method that is the body of a lambda and is given the object.
		 * @param method its name and descriptor
		 * @param variable the local variable that holds it there
		 */
		void lambda(String method, int variable);

	}

	/** How Kotlin calls a method with defaults for some arguments. */
	private static final String DEFAULT = "$default";

	private static final String DEFAULT_OF_INTERFACE = "$DefaultImpls";

	/** Fields in which a Kotlin coroutine keeps local variables. */
	private static final Pattern SPILLED = Pattern.compile("[A-Z]\\$\\d+");

	private final OperandStack stack = new OperandStack();

	private final Map<Label, List<Integer>> jumps = new HashMap<>();

	private final List<Found> found = new ArrayList<>();

	private final Set<Integer> changed = new HashSet<>();

	private final AtomicInteger line = new AtomicInteger();

	private final int thisVariable;

	private final Calls calls;

	/**
	 * Creates a reader.
	 * @param thisVariable the local variable that is the object looked for, negative if
	 * there is none
	 * @param calls told of each call
	 */
	SelfCallMethodReader(int thisVariable, Calls calls) {
		super(Opcodes.ASM9);
		this.thisVariable = thisVariable;
		this.calls = calls;
	}

	@Override
	public void visitLineNumber(int number, Label start) {
		this.line.set(number);
	}

	@Override
	public void visitMethodInsn(int opcode, String owner, String name, String descriptor, boolean isInterface) {
		int arguments = arguments(descriptor);
		if (opcode != Opcodes.INVOKESTATIC) {
			if (this.stack.isThis(arguments)) {
				found(owner, name + descriptor, sources(descriptor));
			}
			finish(arguments + 1, descriptor);
			return;
		}
		if (name.endsWith(DEFAULT) && arguments > 0 && this.stack.isThis(arguments - 1)) {
			List<Integer> sources = sources(descriptor);
			String method = name.substring(0, name.length() - DEFAULT.length());
			found(owner.replace(DEFAULT_OF_INTERFACE, ""), method + withDefaults(descriptor),
					sources.subList(1, sources.size()));
		}
		finish(arguments, descriptor);
	}

	/** Without the object in front, and the bits and the marker at the end. */
	private static String withDefaults(String descriptor) {
		Type[] all = Type.getArgumentTypes(descriptor);
		Type[] own = (all.length > 3) ? Arrays.copyOfRange(all, 1, all.length - 2) : new Type[0];
		return Type.getMethodDescriptor(Type.getReturnType(descriptor), own);
	}

	/** Of arguments that are on the stack. */
	private List<Integer> sources(String descriptor) {
		List<Integer> slots = this.stack.top(arguments(descriptor));
		List<Integer> sources = new ArrayList<>();
		int slot = 0;
		for (Type type : Type.getArgumentTypes(descriptor)) {
			sources.add(slots.get(slot));
			slot += type.getSize();
		}
		return sources;
	}

	private void found(String owner, String called, List<Integer> sources) {
		this.found.add(new Found(owner, called, this.line.get(), sources));
	}

	@Override
	public void visitEnd() {
		for (Found each : this.found) {
			this.calls.found(each.owner(), each.called(), each.line(),
					each.sources()
						.stream()
						.map((source) -> this.changed.contains(source) ? OperandStack.UNKNOWN : source)
						.toList());
		}
	}

	/** A method reference has its receiver as its first argument. */
	@Override
	public void visitInvokeDynamicInsn(String name, String descriptor, Handle bootstrap, Object... constants) {
		int arguments = arguments(descriptor);
		for (int i = 0; i < arguments; i++) {
			if (this.stack.isThis(arguments - 1 - i)) {
				lambda(constants, i);
			}
		}
		if (arguments > 0 && this.stack.isThis(arguments - 1)) {
			Arrays.stream(constants)
				.filter((constant) -> constant instanceof Handle handle && handle.getTag() > Opcodes.H_PUTSTATIC)
				.map(Handle.class::cast)
				.forEach((handle) -> found(handle.getOwner(), handle.getName() + handle.getDesc(), List.of()));
		}
		finish(arguments, descriptor);
	}

	/** In Java only if it needs no object, in Kotlin always. */
	private void lambda(Object[] constants, int variable) {
		Arrays.stream(constants)
			.filter((constant) -> constant instanceof Handle handle && handle.getTag() == Opcodes.H_INVOKESTATIC)
			.map(Handle.class::cast)
			.forEach((handle) -> this.calls.lambda(handle.getName() + handle.getDesc(), variable));
	}

	private static int arguments(String descriptor) {
		return (Type.getArgumentsAndReturnSizes(descriptor) >> 2) - 1;
	}

	private void finish(int arguments, String descriptor) {
		this.stack.pop(arguments);
		this.stack.push(Type.getArgumentsAndReturnSizes(descriptor) & 3);
	}

	@Override
	public void visitInsn(int opcode) {
		if ((opcode >= Opcodes.IRETURN && opcode <= Opcodes.RETURN) || opcode == Opcodes.ATHROW) {
			this.stack.clear();
		}
		else {
			this.stack.execute(opcode);
		}
	}

	@Override
	public void visitIntInsn(int opcode, int operand) {
		this.stack.pop((opcode == Opcodes.NEWARRAY) ? 1 : 0);
		this.stack.push(1);
	}

	@Override
	public void visitVarInsn(int opcode, int index) {
		switch (opcode) {
			case Opcodes.ALOAD -> load(index);
			case Opcodes.ILOAD, Opcodes.FLOAD -> this.stack.pushVariable(index, 1);
			case Opcodes.LLOAD, Opcodes.DLOAD -> this.stack.pushVariable(index, 2);
			case Opcodes.LSTORE, Opcodes.DSTORE -> store(index, 2);
			case Opcodes.ISTORE, Opcodes.FSTORE, Opcodes.ASTORE -> store(index, 1);
			default -> {
			}
		}
	}

	private void load(int index) {
		if (index == this.thisVariable) {
			this.stack.pushThis();
		}
		else {
			this.stack.pushVariable(index, 1);
		}
	}

	private void store(int index, int size) {
		if (!this.stack.isRestored()) {
			this.changed.add(index);
		}
		this.stack.pop(size);
	}

	@Override
	public void visitIincInsn(int index, int increment) {
		this.changed.add(index);
	}

	@Override
	public void visitTypeInsn(int opcode, String type) {
		if (opcode != Opcodes.CHECKCAST) {
			this.stack.pop((opcode == Opcodes.NEW) ? 0 : 1);
			this.stack.push(1);
		}
	}

	@Override
	public void visitFieldInsn(int opcode, String owner, String name, String descriptor) {
		int size = Type.getType(descriptor).getSize();
		switch (opcode) {
			case Opcodes.GETSTATIC -> this.stack.push(size);
			case Opcodes.PUTSTATIC -> this.stack.pop(size);
			case Opcodes.PUTFIELD -> this.stack.pop(size + 1);
			default -> {
				this.stack.pop(1);
				if (name.startsWith("this$")) {
					this.stack.pushThis();
				}
				else {
					this.stack.pushVariable(
							SPILLED.matcher(name).matches() ? OperandStack.RESTORED : OperandStack.UNKNOWN, size);
				}
			}
		}
	}

	@Override
	public void visitLdcInsn(Object value) {
		boolean wide = value instanceof Long || value instanceof Double
				|| (value instanceof ConstantDynamic dynamic && dynamic.getSize() == 2);
		this.stack.push(wide ? 2 : 1);
	}

	@Override
	public void visitMultiANewArrayInsn(String descriptor, int dimensions) {
		this.stack.pop(dimensions);
		this.stack.push(1);
	}

	@Override
	public void visitJumpInsn(int opcode, Label label) {
		boolean two = opcode >= Opcodes.IF_ICMPEQ && opcode <= Opcodes.IF_ACMPNE;
		this.stack.pop((opcode == Opcodes.GOTO) ? 0 : two ? 2 : 1);
		jump(label);
		if (opcode == Opcodes.GOTO) {
			this.stack.clear();
		}
	}

	@Override
	public void visitTableSwitchInsn(int min, int max, Label otherwise, Label... labels) {
		choose(otherwise, labels);
	}

	@Override
	public void visitLookupSwitchInsn(Label otherwise, int[] keys, Label[] labels) {
		choose(otherwise, labels);
	}

	private void choose(Label otherwise, Label[] labels) {
		this.stack.pop(1);
		jump(otherwise);
		Arrays.stream(labels).forEach(this::jump);
		this.stack.clear();
	}

	private void jump(Label label) {
		this.jumps.putIfAbsent(label, this.stack.copy());
	}

	@Override
	public void visitTryCatchBlock(Label start, Label end, Label handler, @Nullable String type) {
		this.jumps.put(handler, List.of(OperandStack.UNKNOWN));
	}

	@Override
	public void visitLabel(Label label) {
		List<Integer> there = this.jumps.get(label);
		if (there != null) {
			this.stack.join(there);
		}
	}

	private record Found(String owner, String called, int line, List<Integer> sources) {

	}

}
