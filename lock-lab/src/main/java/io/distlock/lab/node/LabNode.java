package io.distlock.lab.node;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;

import io.distlock.lab.jvm.PlainLogging;
import io.distlock.lab.event.LabEvent.Kind;
import io.distlock.lab.event.Orders;
import io.distlock.lab.event.RunPlan;
import io.distlock.lab.strategy.Step.Place;
import org.jspecify.annotations.Nullable;

/**
 * The process of a node: connects to the director, does what that orders, and ends with
 * the connection.
 */
public final class LabNode {

	/** The variable with the password of the director. */
	public static final String SECRET = "LAB_SECRET";

	private final DataInputStream orders;

	private final EventLog log;

	private @Nullable NodeRun run;

	private LabNode(DataInputStream orders, EventLog log) {
		this.orders = orders;
		this.log = log;
	}

	/**
	 * Runs a node until the director is gone.
	 * @param port where the director listens on the loopback interface
	 * @param number number of the node
	 */
	public static void run(int port, int number) {
		PlainLogging.errorsOnly();
		try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
			socket.setTcpNoDelay(true);
			DataOutputStream out = new DataOutputStream(new BufferedOutputStream(socket.getOutputStream(), 1 << 16));
			out.writeUTF(String.valueOf(System.getenv(SECRET)));
			out.writeInt(number);
			out.flush();
			EventLog log = new EventLog(out);
			Thread sender = new Thread(log::send, "events");
			sender.setDaemon(true);
			sender.setPriority(Thread.MAX_PRIORITY);
			sender.start();
			new LabNode(new DataInputStream(new BufferedInputStream(socket.getInputStream())), log).obey();
		}
		catch (IOException ex) {
			// The director is gone.
		}
		Runtime.getRuntime().halt(0);
	}

	private void obey() throws IOException {
		while (true) {
			String order = this.orders.readUTF();
			if (order.equals(Orders.RUN)) {
				prepare(RunPlan.of(this.orders.readUTF()));
			}
			else if (this.run != null) {
				obey(this.run, order);
			}
		}
	}

	private void obey(NodeRun run, String order) {
		switch (order) {
			case Orders.START -> run.start();
			case Orders.TRAP -> run.trap().arm(run.plan().place());
			case Orders.TRAP_AT_ENTRY -> run.trap().arm(Place.ENTRY);
			case Orders.TRAP_AT_WORK -> run.trap().arm(Place.WORK);
			case Orders.RELEASE -> run.trap().release();
			case Orders.STOP -> {
				this.run = null;
				run.stop();
			}
			default -> throw new IllegalArgumentException("No such order: " + order);
		}
	}

	private void prepare(RunPlan plan) {
		try {
			this.run = NodeRun.prepare(plan, this.log);
		}
		catch (RuntimeException ex) {
			ex.printStackTrace(System.out);
			this.log.add(Kind.BROKEN, -1, 0, 0);
		}
	}

}
