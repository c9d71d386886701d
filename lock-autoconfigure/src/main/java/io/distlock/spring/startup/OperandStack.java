package io.distlock.spring.startup;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

import org.springframework.asm.Opcodes;

/**
 * The operand stack of a method that is read, of which only one thing matters: which of
 * its slots hold, for certain, {@code this} or what was loaded from which local variable.
 * As in the class file, a long or double takes two slots.
 */
final class OperandStack {

	/** What came from no local variable, or from one or another. */
	static final int UNKNOWN = -1;

	/** What a Kotlin coroutine kept of a local variable while it was suspended. */
	static final int RESTORED = -2;

	private static final int THIS = -3;

	/** How many slots each instruction takes and leaves, for those without operands. */
	private static final int[][] EFFECTS = effects();

	/** From the bottom up: the number of the local variable, or one of the above. */
	private final List<Integer> slots = new ArrayList<>();

	private static int[][] effects() {
		int[][] effects = new int[Opcodes.MONITOREXIT + 1][];
		set(effects, 0, 1, Opcodes.ACONST_NULL, Opcodes.ICONST_5);
		set(effects, 0, 2, Opcodes.LCONST_0, Opcodes.LCONST_1);
		set(effects, 0, 1, Opcodes.FCONST_0, Opcodes.FCONST_2);
		set(effects, 0, 2, Opcodes.DCONST_0, Opcodes.DCONST_1);
		set(effects, 2, 1, Opcodes.IALOAD, Opcodes.SALOAD);
		set(effects, 2, 2, Opcodes.LALOAD, Opcodes.LALOAD);
		set(effects, 2, 2, Opcodes.DALOAD, Opcodes.DALOAD);
		set(effects, 3, 0, Opcodes.IASTORE, Opcodes.SASTORE);
		set(effects, 4, 0, Opcodes.LASTORE, Opcodes.LASTORE);
		set(effects, 4, 0, Opcodes.DASTORE, Opcodes.DASTORE);
		set(effects, 1, 0, Opcodes.POP, Opcodes.POP);
		set(effects, 2, 0, Opcodes.POP2, Opcodes.POP2);
		for (int narrow = Opcodes.IADD; narrow < Opcodes.INEG; narrow += 2) {
			set(effects, 2, 1, narrow, narrow);
			set(effects, 4, 2, narrow + 1, narrow + 1);
		}
		for (int shift = Opcodes.ISHL; shift < Opcodes.IAND; shift += 2) {
			set(effects, 2, 1, shift, shift);
			set(effects, 3, 2, shift + 1, shift + 1);
		}
		for (int narrow = Opcodes.IAND; narrow < Opcodes.IINC; narrow += 2) {
			set(effects, 2, 1, narrow, narrow);
			set(effects, 4, 2, narrow + 1, narrow + 1);
		}
		for (int widened : new int[] { Opcodes.I2L, Opcodes.I2D, Opcodes.F2L, Opcodes.F2D }) {
			set(effects, 1, 2, widened, widened);
		}
		for (int narrowed : new int[] { Opcodes.L2I, Opcodes.L2F, Opcodes.D2I, Opcodes.D2F }) {
			set(effects, 2, 1, narrowed, narrowed);
		}
		set(effects, 4, 1, Opcodes.LCMP, Opcodes.LCMP);
		set(effects, 2, 1, Opcodes.FCMPL, Opcodes.FCMPG);
		set(effects, 4, 1, Opcodes.DCMPL, Opcodes.DCMPG);
		set(effects, 1, 1, Opcodes.ARRAYLENGTH, Opcodes.ARRAYLENGTH);
		set(effects, 1, 0, Opcodes.MONITORENTER, Opcodes.MONITOREXIT);
		return effects;
	}

	private static void set(int[][] effects, int taken, int left, int from, int to) {
		for (int opcode = from; opcode <= to; opcode++) {
			effects[opcode] = new int[] { taken, left };
		}
	}

	/** An instruction without operands. Those not known here change no slot. */
	void execute(int opcode) {
		switch (opcode) {
			case Opcodes.DUP -> duplicate(1, 0);
			case Opcodes.DUP_X1 -> duplicate(1, 1);
			case Opcodes.DUP_X2 -> duplicate(1, 2);
			case Opcodes.DUP2 -> duplicate(2, 0);
			case Opcodes.DUP2_X1 -> duplicate(2, 1);
			case Opcodes.DUP2_X2 -> duplicate(2, 2);
			case Opcodes.SWAP -> {
				duplicate(1, 1);
				pop(1);
			}
			default -> {
				int[] effect = EFFECTS[opcode];
				if (effect != null) {
					pop(effect[0]);
					push(effect[1]);
				}
			}
		}
	}

	/** Copies the uppermost slots to below some more. */
	private void duplicate(int count, int below) {
		pad(count + below);
		List<Integer> upper = List.copyOf(this.slots.subList(this.slots.size() - count, this.slots.size()));
		this.slots.addAll(this.slots.size() - count - below, upper);
	}

	/** Where more is taken than was seen to be put there, nothing is known of it. */
	private void pad(int size) {
		while (this.slots.size() < size) {
			this.slots.add(0, UNKNOWN);
		}
	}

	/** Slots that hold something else than a local variable. */
	void push(int count) {
		this.slots.addAll(Collections.nCopies(count, UNKNOWN));
	}

	void pushThis() {
		this.slots.add(THIS);
	}

	/** By its number, or one of the above. */
	void pushVariable(int variable, int size) {
		this.slots.addAll(Collections.nCopies(size, variable));
	}

	void pop(int count) {
		pad(count);
		this.slots.subList(this.slots.size() - count, this.slots.size()).clear();
	}

	void clear() {
		this.slots.clear();
	}

	/**
	 * Whether a slot holds {@code this}.
	 * @param depth 0 for the uppermost
	 */
	boolean isThis(int depth) {
		return at(depth) == THIS;
	}

	boolean isRestored() {
		return at(0) == RESTORED;
	}

	private int at(int depth) {
		return (depth < this.slots.size()) ? this.slots.get(this.slots.size() - 1 - depth) : UNKNOWN;
	}

	/** The uppermost slots, the lowest first. */
	List<Integer> top(int count) {
		pad(count);
		return List.copyOf(this.slots.subList(this.slots.size() - count, this.slots.size()));
	}

	List<Integer> copy() {
		return List.copyOf(this.slots);
	}

	/**
	 * Where another way leads to the same place, certain is what is so on both. Verified
	 * code has the same number of slots on all ways, so a different number means that
	 * there is no way from the instruction before.
	 * @param other the slots of the other way
	 */
	void join(List<Integer> other) {
		if (other.size() != this.slots.size()) {
			this.slots.clear();
			this.slots.addAll(other);
		}
		else {
			for (int i = 0; i < other.size(); i++) {
				if (!this.slots.get(i).equals(other.get(i))) {
					this.slots.set(i, UNKNOWN);
				}
			}
		}
	}

}
