package io.distlock.test.redis;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** One command and its answer, over a plain socket. */
final class RedisConversation {

	private static final int ANSWER_MILLIS = 5000;

	private RedisConversation() {
	}

	/**
	 * Sends a command.
	 * @return the answer as text, with each element of an array on a separate line
	 * @throws IOException if there is no answer
	 * @throws IllegalStateException if the answer is an error
	 */
	static String ask(String host, int port, String... words) throws IOException {
		try (Socket socket = new Socket()) {
			socket.connect(new InetSocketAddress(host, port), ANSWER_MILLIS);
			socket.setSoTimeout(ANSWER_MILLIS);
			socket.getOutputStream().write(encode(words));
			return answer(new BufferedInputStream(socket.getInputStream()));
		}
	}

	private static byte[] encode(String... words) {
		ByteArrayOutputStream out = new ByteArrayOutputStream();
		out.writeBytes(ascii("*" + words.length + "\r\n"));
		for (String word : words) {
			byte[] bytes = word.getBytes(StandardCharsets.UTF_8);
			out.writeBytes(ascii("$" + bytes.length + "\r\n"));
			out.writeBytes(bytes);
			out.writeBytes(ascii("\r\n"));
		}
		return out.toByteArray();
	}

	private static String answer(InputStream in) throws IOException {
		String line = line(in);
		String rest = line.substring(1);
		return switch (line.charAt(0)) {
			case '+', ':' -> rest;
			case '$' -> bulk(in, Integer.parseInt(rest));
			case '*' -> array(in, Integer.parseInt(rest));
			default -> throw new IllegalStateException("Redis answered: " + rest);
		};
	}

	private static String bulk(InputStream in, int length) throws IOException {
		if (length < 0) {
			return "";
		}
		String text = new String(in.readNBytes(length), StandardCharsets.UTF_8);
		line(in);
		return text;
	}

	private static String array(InputStream in, int length) throws IOException {
		List<String> elements = new ArrayList<>();
		for (int i = 0; i < length; i++) {
			elements.add(answer(in));
		}
		return String.join("\n", elements);
	}

	private static String line(InputStream in) throws IOException {
		ByteArrayOutputStream line = new ByteArrayOutputStream();
		for (int c = in.read(); c != '\n'; c = in.read()) {
			if (c < 0) {
				throw new EOFException("Redis closed the connection instead of answering");
			}
			line.write(c);
		}
		return line.toString(StandardCharsets.UTF_8).stripTrailing();
	}

	private static byte[] ascii(String text) {
		return text.getBytes(StandardCharsets.US_ASCII);
	}

}
