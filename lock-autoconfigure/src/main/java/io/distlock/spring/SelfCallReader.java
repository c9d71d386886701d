package io.distlock.spring;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
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

	private final Set<String> owners;

	private final Set<String> wanted;

	private final String type;

	private final AtomicReference<String> file = new AtomicReference<>("");

	private final List<SelfCall> found = new ArrayList<>();

	private final Set<String> inside = new LinkedHashSet<>();

	/**
	 * Creates a reader.
	 * @param type internal name of the class to read
	 * @param owners internal names of the classes and interfaces that the object has
	 * @param wanted names and descriptors of the methods to look for
	 */
	SelfCallReader(String type, Set<String> owners, Set<String> wanted) {
		super(Opcodes.ASM9);
		this.type = type;
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
		if (name.startsWith(this.type + "$") && (access & Opcodes.ACC_STATIC) == 0) {
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
		boolean hasThis = (access & Opcodes.ACC_STATIC) == 0 && this.owners.contains(this.type);
		return new SelfCallMethodReader(hasThis, (owner, called, line, arguments) -> {
			if (this.owners.contains(owner) && this.wanted.contains(called)) {
				this.found.add(new SelfCall(this.type, name, descriptor,
						Objects.requireNonNullElse(this.file.get(), ""), line, called, arguments));
			}
		});
	}

}
