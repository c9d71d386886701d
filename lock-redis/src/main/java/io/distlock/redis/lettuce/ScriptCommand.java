package io.distlock.redis.lettuce;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

import io.distlock.redis.protocol.LockScript;
import io.distlock.redis.protocol.ScriptArguments;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.output.CommandOutput;
import io.lettuce.core.protocol.Command;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import io.lettuce.core.protocol.CompleteableCommand;
import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/**
 * A script as a command of Lettuce. Writes words that are encoded already, reads a flat
 * list of numbers and texts, and has no future: it ends once, on the thread that learned
 * of the end.
 */
abstract class ScriptCommand extends Command<String, String, List<Object>>
		implements CompleteableCommand<List<Object>> {

	private static final AtomicReferenceFieldUpdater<ScriptCommand, @Nullable Watcher> WATCHERS = AtomicReferenceFieldUpdater
		.newUpdater(ScriptCommand.class, Watcher.class, "watchers");

	private static final Watcher ENDED = new Watcher((reply, failure) -> {
	}, null);

	/** Watchers of the client, such as its timeouts; {@link #ENDED} after the end. */
	private volatile @Nullable Watcher watchers;

	private record Watcher(BiConsumer<? super List<Object>, @Nullable Throwable> action, @Nullable Watcher next) {
	}

	/**
	 * Creates a command.
	 * @param script the script
	 * @param byDigest whether the server should know the script already
	 * @param arguments its keys and arguments
	 */
	ScriptCommand(LockScript script, boolean byDigest, ScriptArguments arguments) {
		super(byDigest ? CommandType.EVALSHA : CommandType.EVAL, new Reply(),
				new Words(byDigest ? script.encodedSha() : script.text().getBytes(StandardCharsets.UTF_8), arguments));
	}

	/**
	 * The command ended. Called once, and must not block.
	 * @param reply the reply, or {@code null}
	 * @param failure the exception of the client, or {@code null}
	 */
	abstract void ended(@Nullable List<Object> reply, @Nullable Throwable failure);

	/**
	 * Creates a command that completes a future.
	 * @param script the script
	 * @param byDigest whether the server should know the script already
	 * @param arguments its keys and arguments
	 * @param answer completed with the reply
	 * @return the command
	 */
	static ScriptCommand completing(LockScript script, boolean byDigest, ScriptArguments arguments,
			CompletableFuture<List<Object>> answer) {
		return new ScriptCommand(script, byDigest, arguments) {

			@Override
			void ended(@Nullable List<Object> reply, @Nullable Throwable failure) {
				if (failure != null) {
					answer.completeExceptionally(failure);
				}
				else {
					answer.complete(reply);
				}
			}

		};
	}

	@Override
	public void complete() {
		Watcher first = end();
		if (first == ENDED) {
			return;
		}
		super.complete();
		String error = getOutput().getError();
		if (error != null) {
			end(first, null, new RedisCommandExecutionException(error));
		}
		else {
			end(first, getOutput().get(), null);
		}
	}

	@Override
	public boolean completeExceptionally(Throwable failure) {
		Watcher first = end();
		if (first == ENDED) {
			return false;
		}
		super.completeExceptionally(failure);
		end(first, null, failure);
		return true;
	}

	@Override
	public void cancel() {
		Watcher first = end();
		if (first != ENDED) {
			super.cancel();
			end(first, null, new CancellationException("The client was closed, or cancelled the command"));
		}
	}

	private @Nullable Watcher end() {
		return WATCHERS.getAndSet(this, ENDED);
	}

	private void end(@Nullable Watcher first, @Nullable List<Object> reply, @Nullable Throwable failure) {
		try {
			ended(reply, failure);
		}
		finally {
			for (Watcher each = first; each != null; each = each.next()) {
				each.action().accept(reply, failure);
			}
		}
	}

	@Override
	public void onComplete(Consumer<? super List<Object>> action) {
		onComplete((reply, failure) -> {
			if (failure == null) {
				action.accept(reply);
			}
		});
	}

	@Override
	public void onComplete(BiConsumer<? super List<Object>, Throwable> action) {
		Watcher known = this.watchers;
		while (known != ENDED && !WATCHERS.compareAndSet(this, known, new Watcher(action, known))) {
			known = this.watchers;
		}
		if (known == ENDED) {
			action.accept(null, null);
		}
	}

	/**
	 * The words after the name of the command: script, number of keys, keys, arguments.
	 */
	private static final class Words extends CommandArgs<String, String> {

		/** Bytes of a length and its marks: no text is longer than a gigabyte. */
		private static final int MARKS = 15;

		private final byte[] script;

		private final int keys;

		private final byte[][] words;

		private Words(byte[] script, ScriptArguments arguments) {
			super(StringCodec.UTF8);
			this.script = script;
			this.keys = arguments.keys();
			this.words = arguments.words();
		}

		@Override
		public int count() {
			return this.words.length + 2;
		}

		/** Chooses the node of a Cluster. */
		@Override
		public ByteBuffer getFirstEncodedKey() {
			return ByteBuffer.wrap(this.words[0]);
		}

		@Override
		public void encode(ByteBuf target) {
			int size = this.script.length + 3 * MARKS;
			for (byte[] word : this.words) {
				size += word.length + MARKS;
			}
			// Once, instead of each time that the buffer is full.
			target.ensureWritable(size);
			write(target, this.script);
			write(target, Integer.toString(this.keys).getBytes(StandardCharsets.ISO_8859_1));
			for (byte[] word : this.words) {
				write(target, word);
			}
		}

		private static void write(ByteBuf target, byte[] word) {
			target.writeByte('$');
			int length = word.length;
			if (length < 10) {
				target.writeByte('0' + length);
			}
			else if (length < 100) {
				target.writeByte('0' + length / 10);
				target.writeByte('0' + length % 10);
			}
			else {
				target.writeBytes(Integer.toString(length).getBytes(StandardCharsets.ISO_8859_1));
			}
			target.writeShort('\r' << 8 | '\n');
			target.writeBytes(word);
			target.writeShort('\r' << 8 | '\n');
		}

		/** For logs and traces of the client. */
		@Override
		public String toCommandString() {
			StringBuilder text = new StringBuilder(new String(this.script, StandardCharsets.UTF_8)).append(' ')
				.append(this.keys);
			for (byte[] word : this.words) {
				text.append(' ').append(new String(word, StandardCharsets.UTF_8));
			}
			return text.toString();
		}

		@Override
		public String toString() {
			return getClass().getSimpleName() + " [" + toCommandString() + "]";
		}

	}

	/** A flat list. */
	private static final class Reply extends CommandOutput<String, String, List<Object>> {

		/** Initial capacity; a reply of our scripts is never longer. */
		private static final int MOST_EXPECTED = 16;

		private Reply() {
			super(StringCodec.UTF8, new ArrayList<>(0));
		}

		@Override
		public void multi(int count) {
			if (count > 0 && this.output.isEmpty()) {
				this.output = new ArrayList<>(Math.min(count, MOST_EXPECTED));
			}
		}

		@Override
		public void set(long number) {
			this.output.add(number);
		}

		@Override
		public void set(double number) {
			this.output.add(number);
		}

		@Override
		public void set(boolean truth) {
			this.output.add(truth);
		}

		@Override
		public void set(ByteBuffer text) {
			this.output.add((text != null) ? StringCodec.UTF8.decodeValue(text) : null);
		}

		@Override
		public void setSingle(ByteBuffer text) {
			set(text);
		}

	}

}
