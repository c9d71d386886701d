package io.distlock.redis.protocol;

import java.util.List;
import java.util.concurrent.CompletableFuture;

import org.jspecify.annotations.Nullable;

/** Runs scripts by their digest, or by their text where the server forgot them. */
final class ScriptRunner {

	private final RedisCommands commands;

	ScriptRunner(RedisCommands commands) {
		this.commands = commands;
	}

	/**
	 * Runs a script.
	 * @param script the script
	 * @param key the lock, for messages
	 * @param redisKeys the keys of the script
	 * @param arguments its arguments
	 * @return the reply; fails with a {@link io.distlock.LockStoreException} that names
	 * the lock
	 */
	CompletableFuture<List<Object>> run(LockScript script, String key, List<String> redisKeys, List<String> arguments) {
		CompletableFuture<List<Object>> result = new CompletableFuture<>();
		this.commands.evalSha(script, redisKeys, arguments).whenComplete((reply, error) -> {
			if (error == null) {
				result.complete(reply);
			}
			else if (RedisFailure.of(error) == RedisFailure.NO_SCRIPT) {
				// By text, not by SCRIPT LOAD: the key routes the command to the right
				// node.
				this.commands.eval(script, redisKeys, arguments)
					.whenComplete((second, failure) -> settle(result, script, key, second, failure));
			}
			else {
				settle(result, script, key, reply, error);
			}
		});
		return result;
	}

	private void settle(CompletableFuture<List<Object>> result, LockScript script, String key,
			@Nullable List<Object> reply, @Nullable Throwable error) {
		if (error != null) {
			result.completeExceptionally(RedisFailure.translate(script, key, this.commands.server(), error));
		}
		else {
			result.complete((reply != null) ? reply : List.of());
		}
	}

}
