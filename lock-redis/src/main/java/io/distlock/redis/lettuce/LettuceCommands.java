package io.distlock.redis.lettuce;

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
import io.distlock.redis.protocol.Replies;
import io.distlock.redis.protocol.ScriptArguments;
import io.distlock.spi.TransientStoreException;
import org.jspecify.annotations.Nullable;

/**
 * Runs scripts on one Lettuce connection, used by the store alone. Until it is first
 * open, commands wait for it in order. When it breaks, Lettuce reconnects and commands
 * fail meanwhile, instead of piling up and being sent when they are no longer wanted.
 */
final class LettuceCommands implements RedisCommands {

	/** Longest time without any answer before a new connection, in command timeouts. */
	private static final int SILENT_TIMEOUTS = 3;

	/** Most attempts to connect within a command timeout. */
	private static final int ATTEMPTS_PER_TIMEOUT = 10;

	private static final AtomicReferenceFieldUpdater<Call, @Nullable Link> LINK = AtomicReferenceFieldUpdater
		.newUpdater(Call.class, Link.class, "link");

	private final Supplier<String> server;

	/** Longest wait of a command for a connection, longer for the first one. */
	private volatile Duration patience;

	private final ClientSettings settings;

	private final Duration longestSilence;

	private final Runnable onSilence;

	private final Runnable onLateAnswer;

	private final AtomicInteger unanswered = new AtomicInteger();

	// Not synchronized: the client acquires monitors while it sends, and virtual
	// threads before JDK 24 would pin their carrier.
	private final ReentrantLock monitor = new ReentrantLock();

	private final Deque<Call> waiting = new ArrayDeque<>();

	/** Commands that ended while they were sent under the monitor; guarded by it. */
	private final List<Runnable> endedInside = new ArrayList<>();

	private final Reconnecting<Link> connection;

	/** Calls without a result, those that wait included. */
	private final Set<Call> open = ConcurrentHashMap.newKeySet();

	/** Counts how often commands were directed to another server. */
	private volatile int moves;

	/** A script to be run, however often it has to be sent for that. */
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
	 * @param opener opens a connection, blocking until it is there
	 * @param server describes the server
	 * @param connector where opening blocks
	 * @param settings how long a command may wait for a connection
	 * @param onSilence runs when a connection is given up because answers are missing
	 * @param onLateAnswer runs when an answer was used while commands moved to another
	 * server, after {@link #moveOver} returned
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

	/** The first attempt is not given up before the first commands are. */
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

	/** Completes when the connection is closed. */
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
			// Without the monitor, in which callers would meet: who sees a connection
			// comes after all that waited for it.
			call.link = current;
			if (this.connection.current() == current) {
				send(call, current, call.since());
				return;
			}
			if (!LINK.compareAndSet(call, current, null)) {
				// Commands were directed elsewhere, and this one with them.
				return;
			}
		}
		route(call).run();
	}

	/** Ends a call once, whatever else comes for it. */
	private void end(Call call, @Nullable List<Object> reply, @Nullable Throwable failure) {
		if (this.open.remove(call)) {
			this.unanswered.decrementAndGet();
			call.answer.ended(reply, failure);
		}
	}

	/**
	 * Decides what becomes of a call, usually that it waits for a connection.
	 * @return what to do outside of the monitor
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
			// A server that refuses is not asked again by each of a thousand commands.
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

	/** Nothing is sent, and yet the server owes an answer. */
	private void lost(Call call, Link link) {
		link.unanswered().sent(System.nanoTime());
		link.unanswered().ended(false);
		if (call.link == link) {
			end(call, null,
					new TransientStoreException("", "The connection to " + server() + " is lost, reconnecting", null));
		}
	}

	/** The link is that of the call already, or the call was directed elsewhere. */
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
			// Sent again, to the server that goes on.
			return;
		}
		if (failure == null) {
			end(call, Replies.texts(reply), null);
			if (this.moves != before) {
				this.onLateAnswer.run();
			}
			return;
		}
		if (RedisFailure.of(failure) == RedisFailure.OTHER_ROLE) {
			// After a failover the old master keeps its connections; only a new
			// connection reaches the new one.
			drop(link);
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
	 * Gives up a connection without answers. A server that hangs keeps its connections
	 * while another one takes over, and so does one whose machine is gone; a new
	 * connection reaches the right server. A client that lost its connection repeatedly
	 * reconnects less and less often, by default after up to 30 s.
	 */
	private void dropIfSilent(long now) {
		Link current = this.connection.current();
		if (current != null && current.isSilent(this.longestSilence, now)) {
			drop(current);
			this.onSilence.run();
		}
	}

	private void drop(Link stale) {
		if (this.connection.forget(stale)) {
			stale.connection().closeAsync();
		}
	}

	/**
	 * Directs the commands to another server, those without an answer too: a script may
	 * be executed twice, and what the former server answers from now on does not count.
	 */
	void moveOver() {
		Link former;
		Runnable connected;
		this.monitor.lock();
		try {
			former = this.connection.startOver();
			// A caller that has chosen the connection, and not sent yet, may still
			// choose again.
			List<Call> again = this.open.stream()
				.filter((call) -> former != null && LINK.compareAndSet(call, former, null))
				.sorted((one, other) -> Long.signum(one.since - other.since))
				.toList();
			// After that, so that an answer either does not count or is noticed as late.
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

	/** Sends the calls that wait, in order, as soon as there is a connection. */
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
