package io.distlock.reliability.rig;

import java.time.Duration;
import io.distlock.test.Pause;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;

import io.distlock.reliability.rig.FaultProxy.Injury;

/** One connection through the proxy. */
final class ProxiedConnection {

	private final FaultProxy proxy;

	private final Socket client;

	private final Socket server;

	private final RequestReader requests = new RequestReader();

	private volatile boolean messages;

	private volatile boolean lacksBytes;

	ProxiedConnection(FaultProxy proxy, Socket client, Socket server) throws IOException {
		this.proxy = proxy;
		this.client = client;
		this.server = server;
		client.setTcpNoDelay(true);
		server.setTcpNoDelay(true);
	}

	void start() {
		FaultProxy.daemon(() -> pump(this.client, this.server, true), "requests");
		FaultProxy.daemon(() -> pump(this.server, this.client, false), "replies");
	}

	boolean lacksBytes() {
		return this.lacksBytes;
	}

	private void pump(Socket from, Socket to, boolean request) {
		byte[] buffer = new byte[65_536];
		try {
			for (int length = from.getInputStream().read(buffer); length >= 0; length = from.getInputStream()
				.read(buffer)) {
				pass(Arrays.copyOf(buffer, length), to, request);
			}
			close();
		}
		catch (IOException ex) {
			close();
		}
	}

	private void pass(byte[] bytes, Socket to, boolean request) throws IOException {
		if (request) {
			read(bytes);
		}
		long delay = this.proxy.delay(request, this.messages);
		Pause.atMost(Duration.ofNanos(delay), () -> this.proxy.delay(request, this.messages) == 0);
		if (this.proxy.drops(request)) {
			this.lacksBytes = true;
			if (!this.proxy.drops(request)) {
				// Healed meanwhile, by somebody who did not see yet that it lacks some.
				reset();
			}
			return;
		}
		Injury injury = (request || this.messages) ? null : this.proxy.nextInjury();
		if (injury == null) {
			to.getOutputStream().write(bytes);
			return;
		}
		switch (injury) {
			case LOSE_REPLY -> reset();
			case HALF_REPLY -> {
				to.getOutputStream().write(bytes, 0, bytes.length / 2);
				reset();
			}
			case HALF_CLOSE -> {
				this.lacksBytes = true;
				to.shutdownOutput();
			}
		}
	}

	private void read(byte[] bytes) {
		for (byte[] request : this.requests.add(bytes)) {
			String start = new String(request, 0, Math.min(60, request.length), StandardCharsets.US_ASCII)
				.toUpperCase(Locale.ROOT);
			if (start.contains("SUBSCRIBE")) {
				this.messages = true;
			}
			if (start.contains("EVAL")) {
				this.proxy.replayer().sent(request);
			}
		}
	}

	/** Closes it the way a crashed machine or a firewall does. */
	void reset() {
		try {
			this.client.setSoLinger(true, 0);
			this.server.setSoLinger(true, 0);
		}
		catch (IOException ex) {
			// Closed already.
		}
		close();
	}

	private void close() {
		this.proxy.closed(this);
		for (Socket socket : new Socket[] { this.client, this.server }) {
			try {
				socket.close();
			}
			catch (IOException ex) {
				// Closed is what it shall be.
			}
		}
	}

}
