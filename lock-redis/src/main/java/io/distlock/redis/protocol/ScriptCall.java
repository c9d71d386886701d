package io.distlock.redis.protocol;

import java.util.List;
import java.util.concurrent.CompletableFuture;

import io.distlock.LockStoreException;
import org.jspecify.annotations.Nullable;

/**
 * Sends a script and is the future of its answer, so that no other future stands between
 * the reply and the caller. It runs the script by its digest, or by its text if the
 * server forgot the script. It fails with a {@link io.distlock.LockStoreException} that
 * names the lock.
 *
 * @param <T> type of the answer
 */
abstract class ScriptCall<T> extends CompletableFuture<T> {

	private final RedisCommands commands;

	private final LockScript script;

	private final String key;

	private final ScriptArguments arguments;

	/** The answer if the key holds data of another application. */
	private final @Nullable T ifForeign;

	/**
	 * Creates a call without sending it.
	 * @param commands sends the call
	 * @param script the script
	 * @param key the lock, for messages
	 * @param arguments the keys and arguments of the script
	 * @param ifForeign the answer if the key holds data of another application, or {@code
	 * null} if such a key is a failure
	 */
	ScriptCall(RedisCommands commands, LockScript script, String key, ScriptArguments arguments,
			@Nullable T ifForeign) {
		this.commands = commands;
		this.script = script;
		this.key = key;
		this.arguments = arguments;
		this.ifForeign = ifForeign;
	}

	/**
	 * Reads the reply and completes this future; an exception becomes the failure.
	 * @param reply the reply
	 */
	abstract void read(List<Object> reply);

	/** Sends the script, and returns this future. */
	final ScriptCall<T> send() {
		this.commands.evalSha(this.script, this.arguments, (reply, failure) -> {
			if (failure != null && RedisFailure.of(failure) == RedisFailure.NO_SCRIPT) {
				sendText();
			}
			else {
				ended(reply, failure);
			}
		});
		return this;
	}

	/**
	 * Sends the text itself instead of SCRIPT LOAD, because the key routes it to the
	 * right node.
	 */
	private void sendText() {
		try {
			this.commands.eval(this.script, this.arguments, this::ended);
		}
		catch (Throwable ex) {
			completeExceptionally(ex);
		}
	}

	private void ended(@Nullable List<Object> reply, @Nullable Throwable failure) {
		try {
			if (failure != null) {
				fail(RedisFailure.translate(this.script, this.key, this.commands.server(), failure));
			}
			else {
				readOrRefuse((reply != null) ? reply : List.of());
			}
		}
		catch (Throwable ex) {
			fail(ex);
		}
	}

	private void readOrRefuse(List<Object> reply) {
		try {
			read(reply);
		}
		catch (LockStoreException ex) {
			throw ex;
		}
		catch (RuntimeException ex) {
			throw RedisFailure.unreadable(this.script, this.key, this.commands.server(), ex);
		}
	}

	private void fail(Throwable failure) {
		// The message of the failure contains the key, which may be any text.
		Throwable cause = failure.getCause();
		boolean foreign = cause != null && RedisFailure.of(cause) == RedisFailure.FOREIGN_DATA;
		if (this.ifForeign != null && foreign) {
			complete(this.ifForeign);
		}
		else {
			completeExceptionally(failure);
		}
	}

}
