package io.distlock.lab.run;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.Socket;

import io.distlock.lab.jvm.NodeJvm;
import io.distlock.lab.event.LabEvent;
import io.distlock.lab.event.Orders;
import io.distlock.lab.event.RunPlan;
import org.jspecify.annotations.Nullable;

/** A node as the director sees it: a process and the connection that it opened. */
final class NodeLink implements AutoCloseable {

	private final NodeJvm process;

	private final Socket socket;

	private final DataOutputStream orders;

	private volatile @Nullable Receiver receiver;

	NodeLink(NodeJvm process, Socket socket, DataInputStream in) throws IOException {
		this.process = process;
		this.socket = socket;
		this.orders = new DataOutputStream(socket.getOutputStream());
		Thread reader = new Thread(() -> read(in), "events of node " + process.pid());
		reader.setDaemon(true);
		reader.start();
	}

	private void read(DataInputStream in) {
		try {
			while (true) {
				LabEvent event = LabEvent.read(in);
				Receiver current = this.receiver;
				if (current != null) {
					current.receive(event);
				}
			}
		}
		catch (IOException ex) {
			Receiver current = this.receiver;
			if (current != null) {
				current.end();
			}
		}
	}

	/** Passes events to this receiver from now on, or drops them if there is none. */
	void receiver(@Nullable Receiver next) {
		this.receiver = next;
	}

	void prepare(RunPlan plan) {
		send(Orders.RUN, plan.text());
	}

	void send(String... words) {
		try {
			synchronized (this.orders) {
				for (String word : words) {
					this.orders.writeUTF(word);
				}
				this.orders.flush();
			}
		}
		catch (IOException ex) {
			// The node is gone, which its reader notices.
		}
	}

	NodeJvm process() {
		return this.process;
	}

	static DataInputStream input(Socket socket) throws IOException {
		return new DataInputStream(new BufferedInputStream(socket.getInputStream(), 1 << 16));
	}

	@Override
	public void close() {
		this.process.close();
		try {
			this.socket.close();
		}
		catch (IOException ex) {
			// It is of no use any more.
		}
	}

	/** Takes the events of a node. */
	interface Receiver {

		void receive(LabEvent event);

		/** The connection ended. */
		void end();

	}

}
