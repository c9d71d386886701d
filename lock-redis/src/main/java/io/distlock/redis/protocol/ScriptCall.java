package io.distlock.redis.protocol;

import java.util.List;
import java.util.concurrent.CompletableFuture;

import io.distlock.LockStoreException;
import org.jspecify.annotations.Nullable;

/**
 * A script on its way to the server, and the future of its answer: there is no other
 * future between the reply and the caller. It is run by its digest, or by its text where
 * the server forgot it. Fails with a {@link io.distlock.LockStoreException} that names
 * the lock.
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
	 * Creates a call that is not sent yet.
	 * @param commands sends it
	 * @param script the script
	 * @param key the lock, for messages
	 * @param arguments its keys and arguments
	 * @param ifForeign the answer if the key holds data of another application, or
	 * {@code null} if that is a failure
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
	 * Reads the reply and completes this future; what it throws becomes the failure.
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

	/** Not by SCRIPT LOAD: the key routes the command to the right node. */
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
		// The message of the failure itself has the key, which may be any text.
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
