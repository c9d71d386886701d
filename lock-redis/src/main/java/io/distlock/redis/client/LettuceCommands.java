package io.distlock.redis.client;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.Supplier;

import io.distlock.LockStoreException;
import io.distlock.redis.client.LettuceLinks.Link;
import io.distlock.redis.protocol.LockScript;
import io.distlock.redis.protocol.RedisFailure;
import io.distlock.spi.TransientStoreException;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import org.jspecify.annotations.Nullable;

/**
 * Scripts on one Lettuce connection of the store's own. Until it is first open, commands
 * wait for it in order; when it breaks, Lettuce reconnects and commands fail meanwhile,
 * instead of piling up and being sent when nobody wants them any more.
 */
public final class LettuceCommands implements RedisCommands {

	/** After how long without any answer to connect anew, in command timeouts. */
	private static final int SILENT_TIMEOUTS = 3;

	/** How many attempts to connect may follow each other within a command timeout. */
	private static final int ATTEMPTS_PER_TIMEOUT = 10;

	private final Supplier<Link> opener;

	private final Supplier<String> server;

	private final Executor connector;

	private final Duration patience;

	private final Duration longestSilence;

	private final Runnable onSilence;

	private final AtomicInteger unanswered = new AtomicInteger();

	// Not synchronized: the client takes a lock of its own while it sends, and virtual
	// threads before JDK 24 would pin their carrier.
	private final ReentrantLock monitor = new ReentrantLock();

	private final Deque<Call> waiting = new ArrayDeque<>();

	private volatile @Nullable Link link;

	private boolean connecting;

	/** Numbers the attempts to connect: the last one counts. */
	private int attempt;

	private long attemptedAt;

	/** Why the last attempt failed, {@code null} if it did not. */
	private @Nullable RuntimeException refusal;

	private boolean closed;

	private record Call(Function<RedisClusterAsyncCommands<String, String>, CompletionStage<List<Object>>> command,
			CompletableFuture<List<Object>> result, long since) {
	}

	/** A call on its way. */
	private record Sent(Call call, CompletionStage<List<Object>> reply, @Nullable Link link) {
	}

	/**
	 * Creates the commands; connects with the first one.
	 * @param opener opens a connection, blocking until it is there
	 * @param server names the server
	 * @param connector where to wait for them
	 * @param patience how long a command may wait for the first connection
	 * @param onSilence told when a connection is given up because nothing is answered
	 */
	public LettuceCommands(Supplier<Link> opener, Supplier<String> server, Executor connector, Duration patience,
			Runnable onSilence) {
		this.opener = opener;
		this.server = server;
		this.connector = connector;
		this.patience = patience;
		this.longestSilence = patience.multipliedBy(SILENT_TIMEOUTS);
		this.onSilence = onSilence;
	}

	@Override
	public CompletableFuture<List<Object>> evalSha(LockScript script, List<String> keys, List<String> arguments) {
		String[] values = arguments.toArray(new String[0]);
		return submit((commands) -> commands.evalsha(script.sha(), ScriptOutputType.MULTI, keys.toArray(new String[0]),
				values));
	}

	@Override
	public CompletableFuture<List<Object>> eval(LockScript script, List<String> keys, List<String> arguments) {
		String[] values = arguments.toArray(new String[0]);
		return submit((commands) -> commands.eval(script.text(), ScriptOutputType.MULTI, keys.toArray(new String[0]),
				values));
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
	public CompletableFuture<Void> closeAsync() {
		Link open;
		List<Call> given;
		this.monitor.lock();
		try {
			this.closed = true;
			open = this.link;
			this.link = null;
			given = drain();
		}
		finally {
			this.monitor.unlock();
		}
		given.forEach((call) -> call.result().completeExceptionally(stopped()));
		return (open != null) ? open.connection().closeAsync() : CompletableFuture.completedFuture(null);
	}

	private CompletableFuture<List<Object>> submit(
			Function<RedisClusterAsyncCommands<String, String>, CompletionStage<List<Object>>> command) {
		Call call = new Call(command, new CompletableFuture<>(), System.nanoTime());
		if (this.unanswered.incrementAndGet() > Workers.MAX_WAITING) {
			this.unanswered.decrementAndGet();
			return CompletableFuture.failedFuture(new TransientStoreException("",
					server() + " has not answered " + Workers.MAX_WAITING + " commands, so no more are sent", null));
		}
		call.result().whenComplete((reply, error) -> this.unanswered.decrementAndGet());
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
		return call.result();
	}

	/** What was made of the call, or {@code null} if it waits for a connection. */
	private @Nullable Sent route(Call call) {
		Link current = this.link;
		if (this.closed) {
			return new Sent(call, CompletableFuture.failedFuture(stopped()), null);
		}
		if (current == null || current.isGone()) {
			this.link = null;
			RuntimeException refused = recentRefusal();
			if (refused != null) {
				return new Sent(call, CompletableFuture.failedFuture(refused), null);
			}
			this.waiting.add(call);
			connectIfNeeded();
			return null;
		}
		if (!current.isOpen()) {
			return new Sent(call, CompletableFuture.failedFuture(
					new TransientStoreException("", "The connection to " + server() + " is lost, reconnecting", null)),
					current);
		}
		return send(call, current);
	}

	private static Sent send(Call call, Link link) {
		try {
			return new Sent(call, call.command().apply(link.commands()), link);
		}
		catch (RuntimeException ex) {
			return new Sent(call, CompletableFuture.failedFuture(ex), link);
		}
	}

	/** Outside the monitor: the reply may be there already, and completes user code. */
	private void follow(Sent sent) {
		Link link = sent.link();
		if (link != null) {
			link.silence().sent();
		}
		sent.reply().whenComplete((reply, error) -> {
			if (link != null) {
				link.silence().ended(error == null || RedisFailure.of(error).isAnswer());
			}
			if (error == null) {
				sent.call().result().complete(reply);
				return;
			}
			if (RedisFailure.of(error) == RedisFailure.OTHER_ROLE) {
				drop(link);
			}
			sent.call().result().completeExceptionally(error);
		});
	}

	/**
	 * A server that hangs keeps its connections while another one takes over, and so does
	 * one whose machine is gone; whoever asks anew is led to the right one. A client that
	 * was cut off again and again tries less and less often, up to 30 s apart by default.
	 */
	private void dropIfSilent() {
		Link current = this.link;
		if (current != null && current.isSilent(this.longestSilence)) {
			drop(current);
			this.onSilence.run();
		}
	}

	/** After a failover the old master keeps its connections; only a new one moves on. */
	private void drop(@Nullable Link stale) {
		this.monitor.lock();
		try {
			if (stale == null || this.link != stale) {
				return;
			}
			this.link = null;
		}
		finally {
			this.monitor.unlock();
		}
		stale.connection().closeAsync();
	}

	/** A server that refuses is not asked anew by each of a thousand commands. */
	private @Nullable RuntimeException recentRefusal() {
		long pause = this.patience.toNanos() / ATTEMPTS_PER_TIMEOUT;
		boolean recent = !this.connecting && System.nanoTime() - this.attemptedAt < pause;
		return recent ? this.refusal : null;
	}

	/**
	 * An attempt may hang as long as the application lets its connections; then another
	 * one begins.
	 */
	private void connectIfNeeded() {
		long now = System.nanoTime();
		boolean waiting = this.connecting && now - this.attemptedAt < this.longestSilence.toNanos();
		if (waiting || this.closed || this.link != null) {
			return;
		}
		this.connecting = true;
		this.attemptedAt = now;
		int number = ++this.attempt;
		try {
			this.connector.execute(() -> open(number));
		}
		catch (RejectedExecutionException ex) {
			this.connecting = false;
		}
	}

	private void open(int number) {
		try {
			opened(number, this.opener.get());
		}
		catch (RuntimeException ex) {
			List<Call> given;
			this.monitor.lock();
			try {
				if (number != this.attempt) {
					return;
				}
				this.connecting = false;
				this.refusal = ex;
				given = drain();
			}
			finally {
				this.monitor.unlock();
			}
			given.forEach((call) -> call.result().completeExceptionally(ex));
		}
	}

	private void opened(int number, Link opened) {
		List<Sent> sent = new ArrayList<>();
		List<Call> late = new ArrayList<>();
		this.monitor.lock();
		try {
			if (this.closed || number != this.attempt) {
				close(opened);
				return;
			}
			this.connecting = false;
			this.refusal = null;
			for (Call call : drain()) {
				if (System.nanoTime() - call.since() > this.patience.toNanos()) {
					late.add(call);
				}
				else {
					sent.add(send(call, opened));
				}
			}
			this.link = opened;
		}
		finally {
			this.monitor.unlock();
		}
		late.forEach((call) -> call.result()
			.completeExceptionally(new TransientStoreException("", server() + " took too long to connect", null)));
		sent.forEach(this::follow);
	}

	/** Nothing was sent on it yet, so this completes nobody's call. */
	private static void close(Link unwanted) {
		unwanted.connection().closeAsync();
	}

	private List<Call> drain() {
		List<Call> calls = List.copyOf(this.waiting);
		this.waiting.clear();
		return calls;
	}

	private static LockStoreException stopped() {
		return new LockStoreException("", "The Redis lock store is stopped", null);
	}

}
