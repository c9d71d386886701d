package io.distlock.redis.lettuce;

import java.nio.charset.StandardCharsets;
import java.util.List;

import io.distlock.redis.protocol.LockScript;
import io.distlock.redis.protocol.ScriptArguments;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.output.NestedMultiOutput;
import io.lettuce.core.protocol.AsyncCommand;
import io.lettuce.core.protocol.Command;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;

/**
 * Represents a script as a command of Lettuce. Unlike Lettuce's {@code evalsha}, it takes
 * all words as the bytes to send.
 */
final class ScriptCommand extends AsyncCommand<byte[], byte[], List<Object>> {

	/**
	 * Creates a command.
	 * @param script the script
	 * @param byDigest whether the server probably knows the script already
	 * @param arguments the keys and arguments of the script
	 */
	ScriptCommand(LockScript script, boolean byDigest, ScriptArguments arguments) {
		super(new Command<>(byDigest ? CommandType.EVALSHA : CommandType.EVAL,
				new NestedMultiOutput<>(ByteArrayCodec.INSTANCE),
				words(byDigest ? script.encodedSha() : script.text().getBytes(StandardCharsets.UTF_8), arguments)));
	}

	private static CommandArgs<byte[], byte[]> words(byte[] script, ScriptArguments arguments) {
		int keys = arguments.keys();
		CommandArgs<byte[], byte[]> words = new CommandArgs<>(ByteArrayCodec.INSTANCE).add(script).add(keys);
		byte[][] all = arguments.words();
		// The first key leads a Cluster client to the right server.
		words.addKey(all[0]);
		for (int i = 1; i < all.length; i++) {
			words.add(all[i]);
		}
		return words;
	}

}
