package io.distlock.jdbc;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;

import javax.net.SocketFactory;

/**
 * Sockets on which the PostgreSQL driver does not wait for a second notification. After
 * each notification the driver reads with a timeout of one millisecond, in case another
 * one follows, and returns the first one only then. On these sockets such a read ends at
 * once if nothing has arrived.
 * <p>
 * Public for the driver, which creates it by its name. The store sets it for the
 * connections of its own pool, unless the application has set a socket factory.
 */
public final class PromptSocketFactory extends SocketFactory {

	/** Creates a factory; the driver does. */
	public PromptSocketFactory() {
	}

	@Override
	public Socket createSocket() {
		return new PromptSocket();
	}

	@Override
	public Socket createSocket(String host, int port) throws IOException {
		return connected(new InetSocketAddress(host, port));
	}

	@Override
	public Socket createSocket(String host, int port, InetAddress localHost, int localPort) throws IOException {
		return connected(new InetSocketAddress(host, port), new InetSocketAddress(localHost, localPort));
	}

	@Override
	public Socket createSocket(InetAddress host, int port) throws IOException {
		return connected(new InetSocketAddress(host, port));
	}

	@Override
	public Socket createSocket(InetAddress host, int port, InetAddress localHost, int localPort) throws IOException {
		return connected(new InetSocketAddress(host, port), new InetSocketAddress(localHost, localPort));
	}

	private static Socket connected(InetSocketAddress address) throws IOException {
		return connected(address, new InetSocketAddress(0));
	}

	private static Socket connected(InetSocketAddress address, InetSocketAddress local) throws IOException {
		Socket socket = new PromptSocket();
		try {
			socket.bind(local);
			socket.connect(address);
			return socket;
		}
		catch (IOException ex) {
			socket.close();
			throw ex;
		}
	}

	private static final class PromptSocket extends Socket {

		/** What the driver sets to find out whether something has arrived. */
		private static final int PROBE_MILLIS = 1;

		private volatile boolean probes;

		@Override
		public void setSoTimeout(int timeout) throws SocketException {
			super.setSoTimeout(timeout);
			this.probes = timeout == PROBE_MILLIS;
		}

		@Override
		public InputStream getInputStream() throws IOException {
			return new FilterInputStream(super.getInputStream()) {

				@Override
				public int read() throws IOException {
					requireArrived();
					return this.in.read();
				}

				@Override
				public int read(byte[] bytes, int offset, int length) throws IOException {
					requireArrived();
					return this.in.read(bytes, offset, length);
				}

				private void requireArrived() throws IOException {
					if (PromptSocket.this.probes && this.in.available() == 0) {
						throw new SocketTimeoutException("Nothing has arrived");
					}
				}

			};
		}

	}

}
