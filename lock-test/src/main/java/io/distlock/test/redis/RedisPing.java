package io.distlock.test.redis;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Asks a server over a plain socket whether it takes commands. */
final class RedisPing {

	private static final int ANSWER_MILLIS = 500;

	private static final long PAUSE_NANOS = Duration.ofMillis(1).toNanos();

	private RedisPing() {
	}

	/**
	 * Waits until the server answers.
	 * @param ready returns whether the server itself listens on the port, because another
	 * server that took the port first answers too
	 * @return whether the server answered before it died or the time was over
	 */
	static boolean await(String host, int port, Duration timeout, BooleanSupplier alive, BooleanSupplier ready) {
		long deadline = System.nanoTime() + timeout.toNanos();
		while (alive.getAsBoolean() && System.nanoTime() - deadline < 0) {
			if (answers(host, port) && ready.getAsBoolean()) {
				return true;
			}
			LockSupport.parkNanos(PAUSE_NANOS);
		}
		return false;
	}

	static boolean answers(String host, int port) {
		try (Socket socket = new Socket()) {
			socket.connect(new InetSocketAddress(host, port), ANSWER_MILLIS);
			socket.setSoTimeout(ANSWER_MILLIS);
			socket.getOutputStream().write("PING\r\n".getBytes(StandardCharsets.US_ASCII));
			byte[] answer = socket.getInputStream().readNBytes(5);
			String text = new String(answer, StandardCharsets.US_ASCII);
			// A server with a password refuses PING without a login, but it is up.
			return text.equals("+PONG") || text.equals("-NOAU");
		}
		catch (IOException ex) {
			return false;
		}
	}

}
