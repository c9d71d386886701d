package io.distlock.redis.client;

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
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.Supplier;

import io.distlock.LockStoreException;
import io.distlock.redis.client.LettuceLinks.Link;
import io.distlock.redis.protocol.LockScript;
import io.distlock.redis.protocol.RedisCommands;
import io.distlock.redis.protocol.RedisFailure;
import io.distlock.spi.TransientStoreException;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import org.jspecify.annotations.Nullable;

/**
 * Runs scripts on one Lettuce connection, used by the store alone. Until it is first
 * open, commands wait for it in order. When it breaks, Lettuce reconnects and commands
 * fail meanwhile, instead of piling up and being sent when they are no longer wanted.
 */
final class LettuceCommands implements RedisCommands {

	/** After how long without any answer to connect anew, in command timeouts. */
	private static final int SILENT_TIMEOUTS = 3;

	/** How many attempts to connect may follow each other within a command timeout. */
	private static final int ATTEMPTS_PER_TIMEOUT = 10;

	private final Supplier<String> server;

	/** How long a command may wait for a connection, longer for the first one. */
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

	private final Reconnecting<Link> connection;

	/** Calls without a result, those that wait included. */
	private final Set<Call> open = ConcurrentHashMap.newKeySet();

	/** How often commands were directed to another server. */
	private volatile int moves;

	private static final class Call {

		private final Function<RedisClusterAsyncCommands<String, String>, CompletionStage<List<Object>>> command;

		private final Answer answer;

		private final long since = System.nanoTime();

		/** Whose answer counts. */
		private volatile @Nullable Link link;

		private Call(Function<RedisClusterAsyncCommands<String, String>, CompletionStage<List<Object>>> command,
				Answer answer) {
			this.command = command;
			this.answer = answer;
		}

		private long since() {
			return this.since;
		}

	}

	/** A call on its way. */
	private record Sent(Call call, CompletionStage<List<Object>> reply, @Nullable Link link) {
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
	public void evalSha(LockScript script, List<String> keys, List<String> arguments, Answer answer) {
		String[] values = arguments.toArray(new String[0]);
		submit((commands) -> commands.evalsha(script.sha(), ScriptOutputType.MULTI, keys.toArray(new String[0]),
				values), answer);
	}

	@Override
	public void eval(LockScript script, List<String> keys, List<String> arguments, Answer answer) {
		String[] values = arguments.toArray(new String[0]);
		submit((commands) -> commands.eval(script.text(), ScriptOutputType.MULTI, keys.toArray(new String[0]), values),
				answer);
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

	private void submit(Function<RedisClusterAsyncCommands<String, String>, CompletionStage<List<Object>>> command,
			Answer answer) {
		if (this.unanswered.incrementAndGet() > Workers.MAX_WAITING) {
			this.unanswered.decrementAndGet();
			answer.ended(null, new TransientStoreException("",
					server() + " has not answered " + Workers.MAX_WAITING + " commands, so no more are sent", null));
			return;
		}
		Call call = new Call(command, answer);
		this.open.add(call);
		Sent sent;
		dropIfSilent();
		this.monitor.lock();
		try {
			// Inside the monitor, so that commands are sent in the order of the calls.
			sent = route(call);
		}
		finally {
			this.monitor.unlock();
		}
		if (sent != null) {
			follow(sent);
		}
	}

	/** Ends a call once, whatever else comes for it. */
	private void end(Call call, @Nullable List<Object> reply, @Nullable Throwable failure) {
		if (this.open.remove(call)) {
			this.unanswered.decrementAndGet();
			call.answer.ended(reply, failure);
		}
	}

	/** Sends or fails the call; returns {@code null} if it waits for a connection. */
	private @Nullable Sent route(Call call) {
		Link current = this.connection.current();
		if (current != null && current.isGone()) {
			this.connection.forget(current);
			current = null;
		}
		if (current != null) {
			return current.isOpen() ? send(call, current) : failed(call,
					new TransientStoreException("", "The connection to " + server() + " is lost, reconnecting", null),
					current);
		}
		if (this.connection.isClosed()) {
			return failed(call, stopped(), null);
		}
		// A server that refuses is not asked again by each of a thousand commands.
		Throwable refused = this.connection.recentFailure();
		if (refused != null) {
			return failed(call, refused, null);
		}
		this.waiting.add(call);
		this.connection.connect();
		return null;
	}

	private static Sent failed(Call call, Throwable failure, @Nullable Link link) {
		call.link = link;
		return new Sent(call, CompletableFuture.failedFuture(failure), link);
	}

	private static Sent send(Call call, Link link) {
		call.link = link;
		try {
			return new Sent(call, call.command.apply(link.commands()), link);
		}
		catch (RuntimeException ex) {
			return failed(call, ex, link);
		}
	}

	/** Outside the monitor: the reply may be there already and complete callbacks. */
	private void follow(Sent sent) {
		Link link = sent.link();
		if (link != null) {
			link.unanswered().sent();
		}
		sent.reply().whenComplete((reply, error) -> {
			if (link != null) {
				link.unanswered().ended(error == null || RedisFailure.of(error).isAnswer());
			}
			int before = this.moves;
			if (sent.call().link != link) {
				// Sent again, to the server that goes on.
				return;
			}
			if (error == null) {
				end(sent.call(), reply, null);
				if (this.moves != before) {
					this.onLateAnswer.run();
				}
				return;
			}
			if (link != null && RedisFailure.of(error) == RedisFailure.OTHER_ROLE) {
				// After a failover the old master keeps its connections; only a new
				// connection reaches the new one.
				drop(link);
			}
			end(sent.call(), null, error);
		});
	}

	/**
	 * Gives up a connection without answers. A server that hangs keeps its connections
	 * while another one takes over, and so does one whose machine is gone; a new
	 * connection reaches the right server. A client that lost its connection repeatedly
	 * reconnects less and less often, by default after up to 30 s.
	 */
	private void dropIfSilent() {
		Link current = this.connection.current();
		if (current != null && current.isSilent(this.longestSilence)) {
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
		this.monitor.lock();
		try {
			former = this.connection.startOver();
			List<Call> again = this.open.stream()
				.filter((call) -> former != null && call.link == former)
				.sorted((one, other) -> Long.signum(one.since - other.since))
				.toList();
			again.forEach((call) -> call.link = null);
			// After that, so that an answer either does not count or is noticed as late.
			this.moves++;
			List<Call> later = drain();
			this.waiting.addAll(again);
			this.waiting.addAll(later);
			this.connection.connect();
		}
		finally {
			this.monitor.unlock();
		}
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
			List<Sent> sent = new ArrayList<>();
			List<Call> late = new ArrayList<>();
			for (Call call : drain()) {
				if (!LettuceCommands.this.open.contains(call)) {
					continue;
				}
				if (System.nanoTime() - call.since() > LettuceCommands.this.patience.toNanos()) {
					late.add(call);
				}
				else {
					sent.add(send(call, link));
				}
			}
			LettuceCommands.this.patience = LettuceCommands.this.settings.commandTimeout();
			return () -> {
				late.forEach((call) -> end(call, null,
						new TransientStoreException("", server() + " took too long to connect", null)));
				sent.forEach(LettuceCommands.this::follow);
			};
		}

		@Override
		public Runnable failed(Throwable failure) {
			List<Call> given = drain();
			return () -> given.forEach((call) -> end(call, null, failure));
		}

	}

}
