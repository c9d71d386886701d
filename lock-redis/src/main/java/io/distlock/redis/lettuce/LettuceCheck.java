package io.distlock.redis.lettuce;

import java.io.IOException;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Properties;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;

import io.distlock.redis.client.CheckClient;
import io.distlock.redis.client.ServerCommands;
import io.distlock.redis.lettuce.LettuceLinks.Link;
import io.distlock.redis.protocol.LockScript;
import io.distlock.redis.protocol.RedisCommands;
import io.distlock.redis.protocol.ScriptArguments;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.protocol.AsyncCommand;
import io.lettuce.core.protocol.Command;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;

/**
 * Asks one server on a connection like that of the store. A connection of the application
 * would tell nothing more, and would load most of Spring Data's classes for Redis into an
 * application that uses Redis for locks alone.
 *
 * @param link the connection; closed with this object
 * @param server describes the server
 */
record LettuceCheck(Link link, String server) implements CheckClient, ServerCommands, RedisCommands {

	@Override
	public boolean isCluster() {
		return false;
	}

	@Override
	public ServerCommands commands() {
		return this;
	}

	@Override
	public RedisCommands scripts() {
		return this;
	}

	@Override
	public void run(String command, byte[]... words) {
		ask(command, words);
	}

	@Override
	public long millis() {
		List<Object> time = ask("time");
		return Long.parseLong((String) time.get(0)) * 1_000 + Long.parseLong((String) time.get(1)) / 1_000;
	}

	@Override
	public Properties info(String section) {
		Properties info = new Properties();
		try {
			for (Object text : ask("info", section.getBytes(StandardCharsets.UTF_8))) {
				info.load(new StringReader(String.valueOf(text)));
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException("A text cannot fail", ex);
		}
		return info;
	}

	private List<Object> ask(String command, byte[]... words) {
		CommandArgs<byte[], byte[]> arguments = new CommandArgs<>(ByteArrayCodec.INSTANCE);
		for (byte[] word : words) {
			arguments.add(word);
		}
		AsyncCommand<byte[], byte[], List<Object>> asked = new AsyncCommand<>(
				new Command<>(CommandType.valueOf(command.toUpperCase(Locale.ROOT)), new FlatReply(), arguments));
		this.link.connection().dispatch(asked);
		try {
			return asked.get();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new CompletionException(ex);
		}
		catch (ExecutionException ex) {
			throw new CompletionException(ex.getCause());
		}
	}

	@Override
	public void evalSha(LockScript script, ScriptArguments arguments, Answer answer) {
		run(new ScriptCommand(script, true, arguments), answer);
	}

	@Override
	public void eval(LockScript script, ScriptArguments arguments, Answer answer) {
		run(new ScriptCommand(script, false, arguments), answer);
	}

	private void run(ScriptCommand command, Answer answer) {
		command.whenComplete(answer::ended);
		try {
			this.link.connection().dispatch(command);
		}
		catch (RuntimeException ex) {
			command.completeExceptionally(ex);
		}
	}

	@Override
	public void close() {
		LettuceClient.await(this.link.connection().closeAsync());
	}

}
