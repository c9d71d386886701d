package io.distlock.redis;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;

import io.distlock.redis.protocol.LockScript;
import io.distlock.redis.protocol.RedisCommands;
import io.distlock.redis.protocol.RedisFailure;
import io.distlock.redis.protocol.Replies;
import io.distlock.redis.protocol.ScriptArguments;
import io.distlock.support.ForeignText;
import org.jspecify.annotations.Nullable;

/** Runs all scripts on an unused lock, from acquisition to release. */
final class ScriptProbe {

	private static final long REQUEST = 1;

	// Far longer than the time between two steps on a slow machine.
	private static final String LEASE = "60000";

	private static final String CLAIM = "20000";

	private static final String WAITER_TTL = "20000";

	private static final String KEEP = "40000";

	private static final String NUMBER = Long.toString(REQUEST);

	private final RedisCommands commands;

	private final Runnable answered;

	private final String key;

	private final String channel;

	private final List<String> failures = new ArrayList<>();

	/**
	 * Creates a probe.
	 * @param commands the way that locks take to the server, which may differ from that
	 * of the application
	 * @param key the key of the unused lock
	 * @param channel the channel for its messages
	 * @param answered runs after each answer of the server
	 */
	ScriptProbe(RedisCommands commands, byte[] key, byte[] channel, Runnable answered) {
		this.answered = answered;
		this.commands = commands;
		this.key = new String(key, StandardCharsets.UTF_8);
		this.channel = new String(channel, StandardCharsets.UTF_8);
	}

	/** Returns one sentence per step that failed. */
	List<String> failures() {
		try {
			Object token = expect(1, LockScript.ACQUIRE, acquire("one"));
			expect(1, LockScript.RAISE_TOKEN, "one", NUMBER, String.valueOf(token), KEEP, "1");
			expect(2, LockScript.ACQUIRE, acquire("two"));
			expect(1, LockScript.RENEW, "one", NUMBER, LEASE, "0", KEEP);
			expect(1, LockScript.FINISH, "one", NUMBER, KEEP, this.channel);
			expect(1, LockScript.FINISH, "two", NUMBER, KEEP, this.channel);
			run(LockScript.INSPECT, false);
			run(LockScript.INSPECT, true);
		}
		catch (RuntimeException ex) {
			if (RedisFailure.of(ex).passing()) {
				throw ex;
			}
			this.failures.add(RedisFailure.describe(ex));
		}
		return this.failures;
	}

	private String[] acquire(String instance) {
		return new String[] { instance, NUMBER, LEASE, CLAIM, WAITER_TTL, "1", KEEP, "0", this.channel, "0", "probe" };
	}

	/**
	 * Runs a script twice, because the store repeats commands, and checks the codes of
	 * both replies.
	 * @return the fourth element of the reply, which for an acquisition is the token
	 */
	private @Nullable Object expect(long code, LockScript script, String... arguments) {
		// In the usual case only the first reply is not a list.
		List<Object> first = run(script, false, arguments);
		List<Object> reply = run(script, true, arguments);
		require(code, script, hasCode(code, script, first) ? reply : first);
		return (reply.size() > 3) ? reply.get(3) : null;
	}

	private void require(long code, LockScript script, List<Object> reply) {
		if (!hasCode(code, script, reply)) {
			this.failures.add("The scripts do not work on this server: " + script + " answered "
					+ ForeignText.content(String.valueOf(reply)) + " instead of " + code
					+ ". Is it a proxy, or another product than Redis or Valkey?");
		}
	}

	private static boolean hasCode(long code, LockScript script, List<Object> reply) {
		try {
			return Replies.code(switch (script) {
				case ACQUIRE -> Replies.acquired(reply, REQUEST, Long.parseLong(LEASE));
				case FINISH -> Replies.finished(reply);
				default -> reply;
			}) == code;
		}
		catch (RuntimeException ex) {
			return false;
		}
	}

	/** Runs a script by its text or by its digest; the store does both. */
	private List<Object> run(LockScript script, boolean byDigest, String... arguments) {
		CompletableFuture<List<Object>> ended = new CompletableFuture<>();
		RedisCommands.Answer answer = (reply, failure) -> {
			if (failure != null) {
				ended.completeExceptionally(failure);
			}
			else {
				ended.complete((reply != null) ? reply : List.of());
			}
		};
		ScriptArguments words = ScriptArguments.of(List.of(this.key), List.of(arguments));
		if (byDigest) {
			this.commands.evalSha(script, words, answer);
		}
		else {
			this.commands.eval(script, words, answer);
		}
		try {
			List<Object> reply = ended.get();
			this.answered.run();
			return reply;
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new CompletionException(ex);
		}
		catch (ExecutionException ex) {
			throw new CompletionException(ex.getCause());
		}
	}

}
