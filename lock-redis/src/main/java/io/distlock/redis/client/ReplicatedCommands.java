package io.distlock.redis.client;

import java.util.List;
import java.util.concurrent.ConcurrentLinkedDeque;

import io.distlock.redis.protocol.LockScript;
import io.distlock.redis.protocol.RedisCommands;
import io.distlock.redis.protocol.RedisFailure;
import io.distlock.redis.protocol.Replies;
import io.distlock.redis.protocol.ScriptArguments;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes an acquisition or renewal count only if enough replicas have it. Such a command
 * takes a connection and a thread, and blocks both until the replicas answer. All other
 * commands run as usual and do not wait for such a command.
 */
public final class ReplicatedCommands implements RedisCommands {

	private static final Logger logger = LoggerFactory.getLogger(ReplicatedCommands.class);

	private static final String BUSY = "No connection was free in time: replicas of Redis take too long to confirm, "
			+ "or Redis hangs";

	private final RedisCommands others;

	private final ReplicaConnection.Opener opener;

	private final ClientSettings settings;

	private final RedisWorkers workers;

	private final ConcurrentLinkedDeque<ReplicaConnection> idle = new ConcurrentLinkedDeque<>();

	private final int connections;

	private final boolean pooled;

	private volatile boolean closed;

	private record Call(LockScript script, boolean byDigest, ScriptArguments arguments) {
	}

	/**
	 * Creates the commands; connects with the first one.
	 * @param others runs commands that need no confirmation
	 * @param opener opens connections
	 * @param settings how many replicas must confirm, and how long to wait
	 * @param connections how many commands can wait at a time
	 * @param pooled whether the client keeps a connection open after it is closed here
	 */
	public ReplicatedCommands(RedisCommands others, ReplicaConnection.Opener opener, ClientSettings settings,
			int connections, boolean pooled) {
		this.others = others;
		this.opener = opener;
		this.settings = settings;
		this.workers = new RedisWorkers(connections);
		this.connections = connections;
		this.pooled = pooled;
	}

	@Override
	public void evalSha(LockScript script, ScriptArguments arguments, Answer answer) {
		if (mustBeConfirmed(script)) {
			submit(new Call(script, true, arguments), answer);
		}
		else {
			this.others.evalSha(script, arguments, answer);
		}
	}

	@Override
	public void eval(LockScript script, ScriptArguments arguments, Answer answer) {
		if (mustBeConfirmed(script)) {
			submit(new Call(script, false, arguments), answer);
		}
		else {
			this.others.eval(script, arguments, answer);
		}
	}

	@Override
	public String server() {
		return this.others.server();
	}

	@Override
	public void close() {
		this.closed = true;
		this.workers.shutdown();
		closeIdle();
		this.others.close();
	}

	private static boolean mustBeConfirmed(LockScript script) {
		return script == LockScript.ACQUIRE || script == LockScript.RENEW;
	}

	private void submit(Call call, Answer answer) {
		this.workers.submit(this.settings.commandTimeout(), BUSY, () -> run(call)).whenComplete(answer::ended);
	}

	private List<Object> run(Call call) {
		ReplicaConnection connection = connection();
		boolean sound = false;
		try {
			List<Object> reply = run(call, connection);
			sound = true;
			return reply;
		}
		catch (RuntimeException ex) {
			sound = RedisFailure.of(ex) == RedisFailure.NO_SCRIPT;
			throw ex;
		}
		finally {
			giveBack(connection, sound);
		}
	}

	private List<Object> run(Call call, ReplicaConnection connection) {
		List<Object> reply = connection.run(call.script(), call.byDigest(), call.arguments());
		if (Replies.isHeld(call.script(), reply)) {
			long confirmed = connection.awaitReplicas(this.settings.replicas(), this.settings.replicaTimeout());
			if (confirmed < this.settings.replicas()) {
				throw new NotReplicatedException(confirmed, this.settings);
			}
		}
		return reply;
	}

	private ReplicaConnection connection() {
		for (ReplicaConnection free = this.idle.pollFirst(); free != null; free = this.idle.pollFirst()) {
			if (free.isSound()) {
				return free;
			}
			close(free);
		}
		return this.opener.open(this::openedLate);
	}

	/**
	 * Keeps a connection that opened late for the next command, because the next one may
	 * take as long to open.
	 */
	private void openedLate(ReplicaConnection connection) {
		giveBack(connection, this.idle.size() < this.connections);
	}

	private void giveBack(ReplicaConnection connection, boolean sound) {
		if (sound && !this.pooled) {
			this.idle.addFirst(connection);
			if (this.closed) {
				closeIdle();
			}
		}
		else {
			close(connection);
		}
	}

	private void closeIdle() {
		for (ReplicaConnection each = this.idle.poll(); each != null; each = this.idle.poll()) {
			close(each);
		}
	}

	/** Closes a connection; the answer or the failure counts even if closing fails. */
	private static void close(ReplicaConnection connection) {
		try {
			connection.close();
		}
		catch (RuntimeException ex) {
			logger.debug("A connection on which replicas confirm did not close in good order", ex);
		}
	}

	/** Thrown when a script ran but a failover would lose its writes. */
	static final class NotReplicatedException extends RuntimeException {

		private static final long serialVersionUID = 1L;

		NotReplicatedException(long confirmed, ClientSettings settings) {
			super("NOTREPLICATED " + confirmed + " of " + settings.replicas() + " replicas confirmed within "
					+ settings.replicaTimeout().toMillis() + " ms");
		}

	}

}
