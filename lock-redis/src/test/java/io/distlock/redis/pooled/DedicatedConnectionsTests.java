package io.distlock.redis.pooled;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.time.Duration;
import java.util.List;

import io.distlock.redis.protocol.LockScript;
import io.distlock.redis.protocol.ScriptArguments;
import org.apache.commons.pool2.BasePooledObjectFactory;
import org.apache.commons.pool2.PooledObject;
import org.apache.commons.pool2.impl.DefaultPooledObject;
import org.apache.commons.pool2.impl.GenericObjectPoolConfig;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.Connection;
import redis.clients.jedis.ConnectionPool;
import redis.clients.jedis.exceptions.JedisConnectionException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** What becomes of a connection that breaks. */
class DedicatedConnectionsTests {

	private final ConnectionPool pool = new ConnectionPool(new BasePooledObjectFactory<>() {

		@Override
		public Connection create() {
			return new Connection(ResetSocket::new);
		}

		@Override
		public PooledObject<Connection> wrap(Connection connection) {
			return new DefaultPooledObject<>(connection);
		}

	}, one());

	private final DedicatedConnections connections = new DedicatedConnections(this.pool);

	private static GenericObjectPoolConfig<Connection> one() {
		GenericObjectPoolConfig<Connection> one = new GenericObjectPoolConfig<>();
		one.setMaxTotal(1);
		one.setMaxWait(Duration.ofMillis(100));
		one.setJmxEnabled(false);
		return one;
	}

	@AfterEach
	void close() {
		this.connections.close();
	}

	/** To close such a connection fails too, as Jedis tries to write once more. */
	@Test
	void runWhenTheServerHasResetTheConnectionThenThePoolStaysAsLarge() {
		for (int i = 0; i < 3; i++) {
			assertThatExceptionOfType(JedisConnectionException.class)
				.isThrownBy(() -> this.connections.run(LockScript.INSPECT, true,
						ScriptArguments.of(List.of("stock"), List.of())))
				.withRootCauseInstanceOf(IOException.class);
			assertThat(this.pool.getNumActive()).isZero();
		}
	}

	/** Is connected, and takes no bytes. */
	private static final class ResetSocket extends Socket {

		private volatile boolean closed;

		@Override
		public boolean isBound() {
			return true;
		}

		@Override
		public boolean isConnected() {
			return true;
		}

		@Override
		public boolean isClosed() {
			return this.closed;
		}

		@Override
		public void close() {
			this.closed = true;
		}

		@Override
		public InputStream getInputStream() {
			return InputStream.nullInputStream();
		}

		@Override
		public OutputStream getOutputStream() {
			return new OutputStream() {

				@Override
				public void write(int written) throws IOException {
					throw new IOException("Connection reset by peer");
				}

			};
		}

	}

}
