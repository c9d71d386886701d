package io.distlock.spring.startup;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;

import org.jspecify.annotations.Nullable;

import org.springframework.asm.ClassVisitor;
import org.springframework.asm.MethodVisitor;
import org.springframework.asm.Opcodes;

/**
 * Reads one class file and finds the calls of wanted methods on {@code this}; in a class
 * inside another, on the {@code this} of the outer one.
 */
final class SelfCallReader extends ClassVisitor {

	private static final int NONE = -1;

	private final Set<String> owners;

	private final Set<String> wanted;

	private final String type;

	private final Map<String, Integer> lambdas;

	private final AtomicReference<String> file = new AtomicReference<>("");

	private final List<SelfCall> found = new ArrayList<>();

	private final Set<String> inside = new LinkedHashSet<>();

	/**
	 * Creates a reader.
	 * @param type internal name of the class to read
	 * @param owners internal names of the classes and interfaces that the object has
	 * @param wanted names and descriptors of the methods to look for
	 * @param lambdas static methods that are given the object, with the local variable;
	 * those that are found are added
	 */
	SelfCallReader(String type, Set<String> owners, Set<String> wanted, Map<String, Integer> lambdas) {
		super(Opcodes.ASM9);
		this.type = type;
		this.lambdas = lambdas;
		this.owners = owners;
		this.wanted = wanted;
	}

	/** The calls, once the class is read. */
	List<SelfCall> found() {
		return this.found;
	}

	/** Internal names of the classes inside this one that may call it. */
	Set<String> inside() {
		return this.inside;
	}

	@Override
	public void visitSource(@Nullable String source, @Nullable String debug) {
		this.file.set((source != null) ? source : "");
	}

	@Override
	public void visitInnerClass(String name, @Nullable String outerName, @Nullable String innerName, int access) {
		// For Kotlin, objects and suspended lambdas are static.
		if (name.startsWith(this.type + "$") && (innerName == null || (access & Opcodes.ACC_STATIC) == 0)) {
			this.inside.add(name);
		}
	}

	@Override
	public @Nullable MethodVisitor visitMethod(int access, String name, String descriptor, @Nullable String signature,
			String @Nullable [] exceptions) {
		// A bridge is what others call; it goes on to the method that it stands for.
		if ((access & (Opcodes.ACC_ABSTRACT | Opcodes.ACC_BRIDGE)) != 0) {
			return null;
		}
		return new SelfCallMethodReader(thisVariable(access, name, descriptor), new Calls(name, descriptor));
	}

	private int thisVariable(int access, String name, String descriptor) {
		if (!this.owners.contains(this.type)) {
			return NONE;
		}
		boolean first = (access & Opcodes.ACC_STATIC) == 0 || SelfCall.isBodyOfSuspendFunction(name);
		return first ? 0 : this.lambdas.getOrDefault(name + descriptor, NONE);
	}

	/** Of one method. */
	private final class Calls implements SelfCallMethodReader.Calls {

		private final String method;

		private final String descriptor;

		Calls(String method, String descriptor) {
			this.method = method;
			this.descriptor = descriptor;
		}

		@Override
		public void found(String owner, String called, int line, List<Integer> arguments) {
			if (SelfCallReader.this.owners.contains(owner) && SelfCallReader.this.wanted.contains(called)) {
				SelfCallReader.this.found.add(new SelfCall(SelfCallReader.this.type, this.method, this.descriptor,
						Objects.requireNonNullElse(SelfCallReader.this.file.get(), ""), line, called, arguments));
			}
		}

		@Override
		public void lambda(String lambda, int variable) {
			SelfCallReader.this.lambdas.put(lambda, variable);
		}

	}

}
