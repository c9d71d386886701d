package io.distlock.lab.strategy;

import java.util.List;

import io.distlock.LockLoss;
import org.jspecify.annotations.Nullable;

/** What happens to a strategy besides what its customers write down. Thread-safe. */
public interface Happenings {

	/** Writes nothing down. */
	Happenings NONE = new Happenings() {
	};

	/**
	 * A script of the lab ran.
	 * @param name name of its file
	 * @param keys what it got as KEYS
	 * @param args what it got as ARGV
	 * @param result what it returned
	 */
	default void ran(String name, List<String> keys, List<String> args, @Nullable Object result) {
	}

	/**
	 * The calling thread has a lock of this project.
	 * @param token its fencing token
	 */
	default void acquired(long token) {
	}

	/** The lock of this project that was acquired last was renewed, or is gone. */
	default void askedForMore() {
	}

	/**
	 * A lock of this project is lost.
	 * @param loss which one, and why
	 */
	default void lost(LockLoss loss) {
	}

}
