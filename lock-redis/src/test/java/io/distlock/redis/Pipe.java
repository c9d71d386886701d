package io.distlock.redis;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import io.distlock.test.TestThreads;
import io.distlock.test.redis.RedisServer;

import org.springframework.data.redis.connection.RedisStandaloneConfiguration;

/**
 * A way to a server whose connections can begin to answer late, and can be forgotten
 * without a word, as a firewall forgets them.
 */
final class Pipe implements AutoCloseable {

	private final ServerSocket entrance;

	private volatile RedisServer server;

	private final CountDownLatch closed = new CountDownLatch(1);

	private final List<Line> lines = new CopyOnWriteArrayList<>();

	/** How long the first answer on each new connection takes. */
	private volatile Duration delay = Duration.ZERO;

	/** One connection. */
	private final class Line {

		private final Socket client;

		private final Socket server;

		private final Duration delay = Pipe.this.delay;

		private volatile boolean subscribed;

		private volatile boolean forgotten;

		private Line(Socket client, Socket server) {
			this.client = client;
			this.server = server;
		}

		private Void toServer() throws IOException {
			byte[] bytes = new byte[16_384];
			InputStream from = this.client.getInputStream();
			for (int length = from.read(bytes); length >= 0; length = from.read(bytes)) {
				if (new String(bytes, 0, length, StandardCharsets.ISO_8859_1).contains("SUBSCRIBE")) {
					this.subscribed = true;
				}
				write(bytes, length, this.server.getOutputStream());
			}
			end();
			return null;
		}

		private Void toClient() throws Exception {
			byte[] bytes = new byte[16_384];
			InputStream from = this.server.getInputStream();
			boolean first = true;
			for (int length = from.read(bytes); length >= 0; length = from.read(bytes)) {
				if (first && Pipe.this.closed.await(this.delay.toNanos(), TimeUnit.NANOSECONDS)) {
					break;
				}
				first = false;
				write(bytes, length, this.client.getOutputStream());
			}
			end();
			return null;
		}

		private void write(byte[] bytes, int length, OutputStream to) throws IOException {
			if (!this.forgotten) {
				to.write(bytes, 0, length);
				to.flush();
			}
		}

		private void end() {
			if (!this.forgotten) {
				cut();
			}
		}

		private void cut() {
			try (this.client; this.server) {
				Pipe.this.lines.remove(this);
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
		}

	}

	Pipe(RedisServer server) {
		this.server = server;
		try {
			this.entrance = new ServerSocket(0, 50, InetAddress.getByName("127.0.0.1"));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		TestThreads.inThread(() -> {
			while (!this.entrance.isClosed()) {
				Socket client = this.entrance.accept();
				RedisServer to = this.server;
				Line line = new Line(client, new Socket(to.host(), to.port()));
				this.lines.add(line);
				TestThreads.inThread(line::toServer);
				TestThreads.inThread(line::toClient);
			}
			return null;
		});
	}

	RedisStandaloneConfiguration address() {
		return new RedisStandaloneConfiguration("127.0.0.1", this.entrance.getLocalPort());
	}

	/** Leads connections that are opened from now on to another server. */
	void leadTo(RedisServer server) {
		this.server = server;
	}

	/** Delays the first answer of each connection that is opened from now on. */
	void delayNew(Duration time) {
		this.delay = time;
	}

	/** Ends all connections. */
	void cut() {
		this.lines.forEach(Line::cut);
	}

	/** Passes nothing more on, on any connection that subscribed, and says nothing. */
	int forgetSubscriptions() {
		List<Line> gone = this.lines.stream().filter((line) -> line.subscribed && !line.forgotten).toList();
		gone.forEach((line) -> line.forgotten = true);
		return gone.size();
	}

	@Override
	public void close() throws IOException {
		this.closed.countDown();
		this.entrance.close();
		cut();
	}

}
