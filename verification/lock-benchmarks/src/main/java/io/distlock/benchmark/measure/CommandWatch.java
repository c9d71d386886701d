package io.distlock.benchmark.measure;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.UUID;

import io.distlock.benchmark.peer.RedisAddress;

/**
 * Counts the commands that clients send, as MONITOR tells them; those of scripts are
 * marked there.
 */
public final class CommandWatch implements AutoCloseable {

	private static final String OF_A_SCRIPT = " lua] ";

	private final RedisProbe probe;

	private final String endMark = UUID.randomUUID().toString();

	private final Socket socket;

	private final Thread reader;

	private volatile long count;

	/**
	 * Begins to count.
	 * @param redis the server
	 * @param probe a connection to the same server
	 */
	public CommandWatch(RedisAddress redis, RedisProbe probe) {
		this.probe = probe;
		try {
			this.socket = new Socket(redis.host(), redis.port());
			BufferedReader lines = new BufferedReader(
					new InputStreamReader(this.socket.getInputStream(), StandardCharsets.ISO_8859_1), 1 << 16);
			this.socket.getOutputStream().write("MONITOR\r\n".getBytes(StandardCharsets.US_ASCII));
			lines.readLine();
			this.reader = new Thread(() -> count(lines), "command-watch");
		}
		catch (IOException ex) {
			throw new UncheckedIOException("Cannot watch " + redis, ex);
		}
		this.reader.setDaemon(true);
		this.reader.start();
	}

	private void count(BufferedReader lines) {
		long counted = 0;
		try {
			for (String line = lines.readLine(); line != null; line = lines.readLine()) {
				if (line.contains(this.endMark)) {
					break;
				}
				if (line.indexOf(OF_A_SCRIPT) < 0 || line.indexOf(OF_A_SCRIPT) > line.indexOf('"')) {
					counted++;
				}
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException("The server stopped telling its commands", ex);
		}
		this.count = counted;
	}

	/**
	 * Ends the count, once everything sent so far was counted.
	 * @return how many commands clients sent
	 */
	public long stop() {
		this.probe.mark(this.endMark);
		try {
			this.reader.join();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		close();
		return this.count;
	}

	@Override
	public void close() {
		try {
			this.socket.close();
		}
		catch (IOException ex) {
			// Nothing is lost with it.
		}
	}

}
