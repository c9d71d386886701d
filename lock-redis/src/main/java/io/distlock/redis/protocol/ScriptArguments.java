package io.distlock.redis.protocol;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Holds the keys and arguments of a script as the bytes that a client sends. Arguments
 * that stay the same from command to command are encoded once and shared. The object does
 * not change after it was passed to a client.
 */
public final class ScriptArguments {

	private final int keys;

	private byte[][] words;

	private int size;

	/**
	 * Creates arguments of a script.
	 * @param usual the usual number of arguments; more make it copy the words
	 * @param keys the keys, the lock first
	 */
	ScriptArguments(int usual, byte[]... keys) {
		this.keys = keys.length;
		this.words = Arrays.copyOf(keys, keys.length + usual);
		this.size = keys.length;
	}

	/**
	 * Creates arguments from text.
	 * @param keys the keys of the script, the lock first
	 * @param arguments its arguments
	 * @return the arguments
	 */
	public static ScriptArguments of(List<String> keys, List<String> arguments) {
		ScriptArguments all = new ScriptArguments(arguments.size(),
				keys.stream().map(ScriptArguments::encode).toArray(byte[][]::new));
		arguments.forEach((argument) -> all.add(encode(argument)));
		return all;
	}

	/** Encodes an argument. */
	static byte[] encode(String text) {
		return text.getBytes(StandardCharsets.UTF_8);
	}

	/** Adds an argument; the caller must not change it afterwards. */
	ScriptArguments add(byte[] argument) {
		if (this.size == this.words.length) {
			this.words = Arrays.copyOf(this.words, this.size + 4);
		}
		this.words[this.size++] = argument;
		return this;
	}

	/** Adds a number. */
	ScriptArguments add(long number) {
		return add(Long.toString(number).getBytes(StandardCharsets.ISO_8859_1));
	}

	/**
	 * Returns how many of the {@link #words()} are keys.
	 * @return at least 1
	 */
	public int keys() {
		return this.keys;
	}

	/**
	 * Returns keys and arguments, encoded in UTF-8.
	 * @return the bytes of each word, the lock first; the caller must not change them
	 */
	public byte[][] words() {
		if (this.size < this.words.length) {
			this.words = Arrays.copyOf(this.words, this.size);
		}
		return this.words;
	}

	/**
	 * Returns the arguments in readable form.
	 * @return the arguments without the keys
	 */
	public List<String> texts() {
		List<String> texts = new ArrayList<>();
		for (int i = this.keys; i < this.size; i++) {
			texts.add(text(i));
		}
		return texts;
	}

	/**
	 * Returns the name of the lock in Redis.
	 * @return the first key
	 */
	public String key() {
		return text(0);
	}

	private String text(int index) {
		return new String(this.words[index], StandardCharsets.UTF_8);
	}

}
