package io.distlock.redis.lettuce;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

import io.distlock.LockStoreException;
import io.distlock.redis.client.ClientSettings;
import io.distlock.redis.client.RedisWorkers;
import io.distlock.redis.lettuce.LettuceLinks.Link;
import io.distlock.redis.protocol.LockScript;
import io.distlock.redis.protocol.RedisCommands;
import io.distlock.redis.protocol.RedisFailure;
import io.distlock.redis.protocol.ScriptArguments;
import io.distlock.spi.TransientStoreException;
import org.jspecify.annotations.Nullable;

/**
 * Runs scripts on one Lettuce connection that only the store uses. Until the connection
 * opens for the first time, commands wait for it in order. When the connection breaks,
 * Lettuce reconnects. Commands fail meanwhile; otherwise they would pile up and be sent
 * too late.
 */
final class LettuceCommands implements RedisCommands {

	/**
	 * How long a connection may give no answer before it is replaced, in command
	 * timeouts.
	 */
	private static final int SILENT_TIMEOUTS = 3;

	/** The highest number of attempts to connect within a command timeout. */
	private static final int ATTEMPTS_PER_TIMEOUT = 10;

	private static final AtomicReferenceFieldUpdater<Call, @Nullable Link> LINK = AtomicReferenceFieldUpdater
		.newUpdater(Call.class, Link.class, "link");

	private final Supplier<String> server;

	/** How long a command may wait for a connection; longer for the first connection. */
	private volatile Duration patience;

	private final ClientSettings settings;

	private final Duration longestSilence;

	private final Runnable onSilence;

	private final Runnable onLateAnswer;

	private final AtomicInteger unanswered = new AtomicInteger();

	// Not synchronized, because the client acquires monitors while it sends. Virtual
	// threads before JDK 24 would pin their carrier thread.
	private final ReentrantLock monitor = new ReentrantLock();

	private final Deque<Call> waiting = new ArrayDeque<>();

	/**
	 * Actions of commands that ended while they were sent under the monitor, which guards
	 * the list.
	 */
	private final List<Runnable> endedInside = new ArrayList<>();

	private final Reconnecting<Link> connection;

	/** Calls without a result, including waiting calls. */
	private final Set<Call> open = ConcurrentHashMap.newKeySet();

	/** Counts how often commands moved to another server. */
	private volatile int moves;

	/** A script to run; it may be sent several times. */
	private static final class Call {

		private final LockScript script;

		private final boolean byDigest;

		private final ScriptArguments arguments;

		private final Answer answer;

		private final long since = System.nanoTime();

		/** The connection whose answer counts. */
		private volatile @Nullable Link link;

		private Call(LockScript script, boolean byDigest, ScriptArguments arguments, Answer answer) {
			this.script = script;
			this.byDigest = byDigest;
			this.arguments = arguments;
			this.answer = answer;
		}

		private long since() {
			return this.since;
		}

	}

	/**
	 * Creates the commands; connects with the first one.
	 * @param opener opens a connection; blocks until the connection is open
	 * @param server describes the server
	 * @param connector runs the opener, which blocks
	 * @param settings how long a command may wait for a connection
	 * @param onSilence runs when a connection is given up because answers are missing, or
	 * because it leads to a former master
	 * @param onLateAnswer runs if an answer was used while commands moved to another
	 * server; it runs after {@link #moveOver} returned
	 */
	LettuceCommands(Supplier<Link> opener, Supplier<String> server, Executor connector, ClientSettings settings,
			Runnable onSilence, Runnable onLateAnswer) {
		this.server = server;
		this.settings = settings;
		this.patience = settings.firstPatience();
		this.longestSilence = settings.commandTimeout().multipliedBy(SILENT_TIMEOUTS);
		this.onSilence = onSilence;
		this.onLateAnswer = onLateAnswer;
		this.connection = new Reconnecting<>(this.monitor, new Links(opener), connector, this::longestAttempt,
				settings.commandTimeout().dividedBy(ATTEMPTS_PER_TIMEOUT), System::nanoTime);
	}

	/** Returns the time limit of an attempt: at least as long as commands wait. */
	private Duration longestAttempt() {
		return (this.patience.compareTo(this.longestSilence) > 0) ? this.patience : this.longestSilence;
	}

	@Override
	public void evalSha(LockScript script, ScriptArguments arguments, Answer answer) {
		submit(new Call(script, true, arguments, answer));
	}

	@Override
	public void eval(LockScript script, ScriptArguments arguments, Answer answer) {
		submit(new Call(script, false, arguments, answer));
	}

	@Override
	public String server() {
		return this.server.get();
	}

	@Override
	public void close() {
		closeAsync();
	}

	/** Closes the connection; completes when it is closed. */
	CompletionStage<Void> closeAsync() {
		CompletionStage<Void> closed = this.connection.close();
		List<Call> given;
		this.monitor.lock();
		try {
			given = drain();
		}
		finally {
			this.monitor.unlock();
		}
		given.forEach((call) -> end(call, null, stopped()));
		return closed;
	}

	private void submit(Call call) {
		if (this.unanswered.incrementAndGet() > RedisWorkers.MAX_WAITING) {
			this.unanswered.decrementAndGet();
			call.answer.ended(null, new TransientStoreException("",
					server() + " has not answered " + RedisWorkers.MAX_WAITING + " commands, so no more are sent",
					null));
			return;
		}
		this.open.add(call);
		dropIfSilent(call.since());
		Link current = this.connection.current();
		if (current != null && current.isOpen()) {
			// No monitor here, because callers would compete for it. A caller that sees a
			// connection comes after all callers that waited for it.
			call.link = current;
			if (this.connection.current() == current) {
				send(call, current, call.since());
				return;
			}
			if (!LINK.compareAndSet(call, current, null)) {
				// All commands were moved to another server, including this one.
				return;
			}
		}
		route(call).run();
	}

	/** Ends a call once; later results are ignored. */
	private void end(Call call, @Nullable List<Object> reply, @Nullable Throwable failure) {
		if (this.open.remove(call)) {
			this.unanswered.decrementAndGet();
			call.answer.ended(reply, failure);
		}
	}

	/**
	 * Decides what happens to a call, usually that it waits for a connection.
	 * @return the action to run outside the monitor
	 */
	private Runnable route(Call call) {
		this.monitor.lock();
		try {
			Link current = this.connection.current();
			if (current != null && current.isGone()) {
				this.connection.forget(current);
				current = null;
			}
			if (current != null) {
				Link link = current;
				call.link = link;
				return link.isOpen() ? () -> send(call, link, System.nanoTime()) : () -> lost(call, link);
			}
			if (this.connection.isClosed()) {
				return () -> end(call, null, stopped());
			}
			// After a refusal, a thousand commands must not each ask the server again.
			Throwable refused = this.connection.recentFailure();
			if (refused != null) {
				return () -> end(call, null, refused);
			}
			this.waiting.add(call);
			Runnable connected = this.connection.connect();
			return () -> {
				connected.run();
				runEndedInside();
			};
		}
		finally {
			this.monitor.unlock();
		}
	}

	/**
	 * Fails a call without sending it; the server counts as owing an answer from now on.
	 */
	private void lost(Call call, Link link) {
		link.unanswered().sent(System.nanoTime());
		link.unanswered().ended(false);
		if (call.link == link) {
			end(call, null,
					new TransientStoreException("", "The connection to " + server() + " is lost, reconnecting", null));
		}
	}

	/**
	 * Sends a call. Its link is the given one, unless the call has moved to another
	 * server.
	 */
	private void send(Call call, Link link, long now) {
		ScriptCommand command = new ScriptCommand(call.script, call.byDigest, call.arguments);
		command.whenComplete((reply, failure) -> answered(call, link, reply, failure));
		link.unanswered().sent(now);
		try {
			link.connection().dispatch(command);
		}
		catch (RuntimeException ex) {
			command.completeExceptionally(ex);
		}
	}

	private void answered(Call call, Link link, @Nullable List<Object> reply, @Nullable Throwable failure) {
		link.unanswered().ended(failure == null || RedisFailure.of(failure).isAnswer());
		if (this.monitor.isHeldByCurrentThread()) {
			this.endedInside.add(() -> ended(call, link, reply, failure));
		}
		else {
			ended(call, link, reply, failure);
		}
	}

	private void ended(Call call, Link link, @Nullable List<Object> reply, @Nullable Throwable failure) {
		int before = this.moves;
		if (call.link != link) {
			// The call was sent again, to the new server.
			return;
		}
		if (failure == null) {
			end(call, reply, null);
			if (this.moves != before) {
				this.onLateAnswer.run();
			}
			return;
		}
		if (RedisFailure.of(failure) == RedisFailure.OTHER_ROLE && drop(link)) {
			// After a failover the old master keeps its connections, so only new
			// connections reach the new master, also those for messages.
			this.onSilence.run();
		}
		end(call, null, failure);
	}

	private void runEndedInside() {
		List<Runnable> ended;
		this.monitor.lock();
		try {
			ended = List.copyOf(this.endedInside);
			this.endedInside.clear();
		}
		finally {
			this.monitor.unlock();
		}
		ended.forEach(Runnable::run);
	}

	/**
	 * Gives up a connection without answers, because a new connection reaches the right
	 * server. A server that hangs, or whose machine is gone, keeps its connections while
	 * another server takes over. A client that lost its connection repeatedly reconnects
	 * ever more rarely, with default settings only after up to 30 s.
	 */
	private void dropIfSilent(long now) {
		Link current = this.connection.current();
		if (current != null && current.isSilent(this.longestSilence, now) && drop(current)) {
			this.onSilence.run();
		}
	}

	/** Returns whether this was the current connection. */
	private boolean drop(Link stale) {
		boolean known = this.connection.forget(stale);
		if (known) {
			stale.connection().closeAsync();
		}
		return known;
	}

	/** Publishes a message on the connection of the commands; fails if there is none. */
	CompletionStage<?> publish(String channel, String message) {
		Link current = this.connection.current();
		if (current == null || !current.isOpen()) {
			return CompletableFuture.failedFuture(new IllegalStateException("There is no connection"));
		}
		return current.commands()
			.publish(channel.getBytes(StandardCharsets.UTF_8), message.getBytes(StandardCharsets.UTF_8));
	}

	/**
	 * Moves the commands to another server, including commands without an answer. So a
	 * script may be executed twice, and later answers of the former server do not count.
	 */
	void moveOver() {
		Link former;
		Runnable connected;
		this.monitor.lock();
		try {
			former = this.connection.startOver();
			// A caller that has chosen the connection but sent nothing yet may still
			// choose again.
			List<Call> again = this.open.stream()
				.filter((call) -> former != null && LINK.compareAndSet(call, former, null))
				.sorted((one, other) -> Long.signum(one.since - other.since))
				.toList();
			// This comes last, so that an answer either does not count or is noticed as
			// late.
			this.moves++;
			List<Call> later = drain();
			this.waiting.addAll(again);
			this.waiting.addAll(later);
			connected = this.connection.connect();
		}
		finally {
			this.monitor.unlock();
		}
		connected.run();
		if (former != null) {
			former.connection().closeAsync();
		}
	}

	private List<Call> drain() {
		List<Call> calls = List.copyOf(this.waiting);
		this.waiting.clear();
		return calls;
	}

	private static LockStoreException stopped() {
		return LockStoreException.notRunning("Redis lock store");
	}

	/** Sends the waiting calls, in order, as soon as there is a connection. */
	private final class Links implements Reconnecting.Source<Link> {

		private final Supplier<Link> opener;

		private Links(Supplier<Link> opener) {
			this.opener = opener;
		}

		@Override
		public CompletionStage<Link> open() {
			return CompletableFuture.completedFuture(this.opener.get());
		}

		@Override
		public CompletionStage<Void> close(Link link) {
			return link.connection().closeAsync();
		}

		@Override
		public Runnable opened(Link link) {
			List<Call> late = new ArrayList<>();
			for (Call call : drain()) {
				if (!LettuceCommands.this.open.contains(call)) {
					continue;
				}
				if (System.nanoTime() - call.since() > LettuceCommands.this.patience.toNanos()) {
					late.add(call);
				}
				else {
					call.link = link;
					send(call, link, System.nanoTime());
				}
			}
			LettuceCommands.this.patience = LettuceCommands.this.settings.commandTimeout();
			return () -> {
				late.forEach((call) -> end(call, null,
						new TransientStoreException("", server() + " took too long to connect", null)));
				runEndedInside();
			};
		}

		@Override
		public Runnable failed(Throwable failure) {
			List<Call> given = drain();
			return () -> given.forEach((call) -> end(call, null, failure));
		}

	}

}
