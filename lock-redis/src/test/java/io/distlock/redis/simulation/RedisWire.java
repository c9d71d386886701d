package io.distlock.redis.simulation;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * A connection that asks and waits on the calling thread, which spares each step of a
 * simulation the way to the threads of a client and back.
 */
final class RedisWire implements AutoCloseable {

	private final Socket socket;

	private final DataInputStream in;

	private final OutputStream out;

	RedisWire(String host, int port) {
		try {
			this.socket = new Socket(host, port);
			this.socket.setTcpNoDelay(true);
			this.in = new DataInputStream(new BufferedInputStream(this.socket.getInputStream(), 1 << 16));
			this.out = new BufferedOutputStream(this.socket.getOutputStream(), 1 << 16);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/** An error of the server, be it inside of an answer. */
	record Failure(String message) {
	}

	/**
	 * Asks.
	 * @return the answer: {@link Long}, {@link String}, {@link List}, {@code null} or
	 * {@link Failure}
	 */
	Object ask(List<String> words) {
		try {
			write("*" + words.size() + "\r\n");
			for (String word : words) {
				byte[] bytes = word.getBytes(StandardCharsets.UTF_8);
				write("$" + bytes.length + "\r\n");
				this.out.write(bytes);
				write("\r\n");
			}
			this.out.flush();
			return read();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private void write(String text) throws IOException {
		this.out.write(text.getBytes(StandardCharsets.US_ASCII));
	}

	private Object read() throws IOException {
		String line = readLine();
		String rest = line.substring(1);
		return switch (line.charAt(0)) {
			case '+' -> rest;
			case '-' -> new Failure(rest);
			case ':' -> Long.valueOf(rest);
			case '$' -> readText(Integer.parseInt(rest));
			case '*' -> readList(Integer.parseInt(rest));
			default -> throw new IOException("Not an answer of Redis: " + line);
		};
	}

	private String readLine() throws IOException {
		StringBuilder line = new StringBuilder();
		int next = this.in.readUnsignedByte();
		while (next != '\r') {
			line.append((char) next);
			next = this.in.readUnsignedByte();
		}
		this.in.readUnsignedByte();
		return line.toString();
	}

	private String readText(int length) throws IOException {
		if (length < 0) {
			return null;
		}
		byte[] bytes = new byte[length];
		this.in.readFully(bytes);
		this.in.readUnsignedByte();
		this.in.readUnsignedByte();
		return new String(bytes, StandardCharsets.UTF_8);
	}

	private List<Object> readList(int length) throws IOException {
		List<Object> list = new ArrayList<>(Math.max(0, length));
		for (int i = 0; i < length; i++) {
			list.add(read());
		}
		return list;
	}

	@Override
	public void close() {
		try {
			this.socket.close();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
