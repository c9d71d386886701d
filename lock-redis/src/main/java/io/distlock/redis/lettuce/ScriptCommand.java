package io.distlock.redis.lettuce;

import java.nio.charset.StandardCharsets;
import java.util.List;

import io.distlock.redis.protocol.LockScript;
import io.distlock.redis.protocol.ScriptArguments;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.protocol.AsyncCommand;
import io.lettuce.core.protocol.Command;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import io.netty.buffer.ByteBuf;

/**
 * Represents a script as a command of Lettuce. It writes its words itself, because
 * Lettuce makes several objects of each word, and a script has up to 16 words. Lettuce
 * knows only the first key, which leads a Cluster client to the right server.
 */
final class ScriptCommand extends AsyncCommand<byte[], byte[], List<Object>> {

	private final byte[] script;

	private final ScriptArguments arguments;

	/**
	 * Creates a command.
	 * @param script the script
	 * @param byDigest whether the server probably knows the script already
	 * @param arguments the keys and arguments of the script
	 */
	ScriptCommand(LockScript script, boolean byDigest, ScriptArguments arguments) {
		super(new Command<>(byDigest ? CommandType.EVALSHA : CommandType.EVAL, new FlatReply(),
				new CommandArgs<>(ByteArrayCodec.INSTANCE).addKey(arguments.words()[0])));
		this.script = byDigest ? script.encodedSha() : script.text().getBytes(StandardCharsets.UTF_8);
		this.arguments = arguments;
	}

	/** Writes a request of the protocol of Redis: an array of words. */
	@Override
	public void encode(ByteBuf buffer) {
		byte[][] words = this.arguments.words();
		writeHeader(buffer, '*', words.length + 3);
		writeWord(buffer, getType().getBytes());
		writeWord(buffer, this.script);
		writeWord(buffer, Integer.toString(this.arguments.keys()).getBytes(StandardCharsets.US_ASCII));
		for (byte[] word : words) {
			writeWord(buffer, word);
		}
	}

	private static void writeWord(ByteBuf buffer, byte[] word) {
		writeHeader(buffer, '$', word.length);
		buffer.writeBytes(word);
		writeLineEnd(buffer);
	}

	private static void writeHeader(ByteBuf buffer, char type, int number) {
		buffer.writeByte(type);
		writeDigits(buffer, number);
		writeLineEnd(buffer);
	}

	private static void writeDigits(ByteBuf buffer, int number) {
		if (number > 9) {
			writeDigits(buffer, number / 10);
		}
		buffer.writeByte('0' + number % 10);
	}

	private static void writeLineEnd(ByteBuf buffer) {
		buffer.writeShort('\r' << 8 | '\n');
	}

}
