package io.distlock.internal;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;

import org.jspecify.annotations.Nullable;

/** Tells virtual threads, which this Java version may not know, from others. */
final class VirtualThreads {

	private static final @Nullable MethodHandle IS_VIRTUAL = find();

	private VirtualThreads() {
	}

	private static @Nullable MethodHandle find() {
		try {
			return MethodHandles.publicLookup()
				.findVirtual(Thread.class, "isVirtual", MethodType.methodType(boolean.class));
		}
		catch (NoSuchMethodException | IllegalAccessException ex) {
			return null;
		}
	}

	static boolean isVirtual(Thread thread) {
		try {
			return IS_VIRTUAL != null && (boolean) IS_VIRTUAL.invokeExact(thread);
		}
		catch (Throwable ex) {
			throw new IllegalStateException("Thread.isVirtual() failed", ex);
		}
	}

}
