package io.distlock.ways;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

import io.distlock.LockTemplate;
import io.distlock.engine.LockTemplateBuilder;
import io.distlock.memory.InMemoryLockServer;
import io.distlock.memory.InMemoryLockStore;

/**
 * What annotated methods call as their work. Each call asks the store, as another process
 * would, whether the lock is held. No way of calling can deceive it.
 */
public final class Witness {

	/** The name of the lock of all annotated methods. */
	public static final String LOCK = "way";

	private static final InMemoryLockServer SERVER = new InMemoryLockServer();

	private static final LockTemplate OTHER_PROCESS = LockTemplateBuilder.forStore(new InMemoryLockStore(SERVER))
		.build();

	private static final Queue<Seen> SEEN = new ConcurrentLinkedQueue<>();

	private Witness() {
	}

	/** Returns the store that the application under test keeps its locks in. */
	static InMemoryLockStore store() {
		return new InMemoryLockStore(SERVER);
	}

	/** Called by an annotated method. */
	public static String work() {
		StackWalker.StackFrame caller = StackWalker.getInstance()
			.walk((frames) -> frames.skip(1).findFirst())
			.orElseThrow();
		String type = caller.getClassName();
		SEEN.add(new Seen(type.substring(Math.max(type.lastIndexOf('.'), type.lastIndexOf('$')) + 1),
				caller.getMethodName().replace("$suspendImpl", ""), OTHER_PROCESS.isLocked(LOCK)));
		return "done";
	}

	static void forget() {
		SEEN.clear();
	}

	static List<Seen> seen() {
		return List.copyOf(SEEN);
	}

	/**
	 * One run of an annotated method.
	 *
	 * @param type the simple name of its class
	 * @param method its name
	 * @param locked whether its lock was held
	 */
	record Seen(String type, String method, boolean locked) {

	}

}
