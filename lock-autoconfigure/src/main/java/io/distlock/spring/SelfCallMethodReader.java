package io.distlock.spring;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

import org.jspecify.annotations.Nullable;

import org.springframework.asm.ConstantDynamic;
import org.springframework.asm.Handle;
import org.springframework.asm.Label;
import org.springframework.asm.MethodVisitor;
import org.springframework.asm.Opcodes;
import org.springframework.asm.Type;

/**
 * Follows the operand stack through one method and tells of calls, and method references,
 * whose receiver is {@code this}: what local variable 0 holds, or what the field
 * {@code this$0} of an inner class does. A copy of it in another variable or field is
 * taken for some other object.
 */
final class SelfCallMethodReader extends MethodVisitor {

	/** Told of each call. */
	interface Calls {

		/**
		 * A call.
		 * @param owner internal name of the class that it names
		 * @param called name and descriptor of the method
		 * @param line in the source
		 */
		void found(String owner, String called, int line);

	}

	private final OperandStack stack = new OperandStack();

	private final Map<Label, List<Boolean>> jumps = new HashMap<>();

	private final AtomicInteger line = new AtomicInteger();

	private final boolean hasThis;

	private final Calls calls;

	/**
	 * Creates a reader.
	 * @param hasThis whether local variable 0 is the object looked for
	 * @param calls told of each call
	 */
	SelfCallMethodReader(boolean hasThis, Calls calls) {
		super(Opcodes.ASM9);
		this.hasThis = hasThis;
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
				this.calls.found(owner, name + descriptor, this.line.get());
			}
			this.stack.pop(1);
		}
		finish(arguments, descriptor);
	}

	/** A method reference has its receiver as its first argument. */
	@Override
	public void visitInvokeDynamicInsn(String name, String descriptor, Handle bootstrap, Object... constants) {
		int arguments = arguments(descriptor);
		if (arguments > 0 && this.stack.isThis(arguments - 1)) {
			Arrays.stream(constants)
				.filter((constant) -> constant instanceof Handle handle && handle.getTag() > Opcodes.H_PUTSTATIC)
				.map(Handle.class::cast)
				.forEach((handle) -> this.calls.found(handle.getOwner(), handle.getName() + handle.getDesc(),
						this.line.get()));
		}
		finish(arguments, descriptor);
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
			case Opcodes.ALOAD -> this.stack.push(this.hasThis && index == 0);
			case Opcodes.ILOAD, Opcodes.FLOAD -> this.stack.push(1);
			case Opcodes.LLOAD, Opcodes.DLOAD -> this.stack.push(2);
			case Opcodes.LSTORE, Opcodes.DSTORE -> this.stack.pop(2);
			case Opcodes.ISTORE, Opcodes.FSTORE, Opcodes.ASTORE -> this.stack.pop(1);
			default -> {
			}
		}
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
					this.stack.push(true);
				}
				else {
					this.stack.push(size);
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
		this.jumps.put(handler, List.of(false));
	}

	@Override
	public void visitLabel(Label label) {
		List<Boolean> there = this.jumps.get(label);
		if (there != null) {
			this.stack.join(there);
		}
	}

}
