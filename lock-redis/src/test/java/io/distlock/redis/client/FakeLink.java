package io.distlock.redis.client;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.atomic.AtomicInteger;

import io.distlock.redis.protocol.LockScript;
import io.distlock.redis.protocol.ScriptArguments;

/** A connection to no server, which knows whether it was used as it must be. */
final class FakeLink implements KeptConnections.Link {

	/** What happens in the next command of the thread. */
	static final ThreadLocal<Runnable> beforeReply = new ThreadLocal<>();

	final AtomicInteger uses = new AtomicInteger();

	private final AtomicInteger users = new AtomicInteger();

	private final long openedAt = System.nanoTime();

	private volatile long endedAt = Long.MAX_VALUE;

	volatile State state = State.OPEN;

	volatile boolean misused;

	/** How many were open at once: when one was opened, those that had not ended. */
	static long mostAtOnce(Queue<FakeLink> links) {
		return links.stream()
			.mapToLong((one) -> links.stream()
				.filter((other) -> other.openedAt <= one.openedAt && other.endedAt > one.openedAt)
				.count())
			.max()
			.orElse(0);
	}

	@Override
	public List<Object> run(LockScript script, boolean byDigest, ScriptArguments arguments) {
		this.uses.incrementAndGet();
		if (this.users.incrementAndGet() != 1 || this.state != State.OPEN) {
			this.misused = true;
		}
		Runnable action = beforeReply.get();
		beforeReply.remove();
		try {
			if (action != null) {
				action.run();
			}
			return List.of();
		}
		finally {
			this.users.decrementAndGet();
		}
	}

	@Override
	public boolean isAnswer(Throwable failure) {
		return failure instanceof ErrorReply;
	}

	@Override
	public void close() {
		if (this.users.get() != 0 || this.state != State.OPEN) {
			this.misused = true;
		}
		this.endedAt = System.nanoTime();
		this.state = State.CLOSED;
	}

	enum State {

		OPEN, CLOSED

	}

	/** What the server answers as an error. */
	static final class ErrorReply extends RuntimeException {

		private static final long serialVersionUID = 1L;

	}

}
