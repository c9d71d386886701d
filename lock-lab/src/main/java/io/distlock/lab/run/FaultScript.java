package io.distlock.lab.run;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import io.distlock.lab.event.Orders;
import io.distlock.lab.run.Moment.Change;
import io.distlock.lab.strategy.StrategySupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets the fault of a run happen: waits until a quarter is sold, holds a caller where the
 * strategy is weak, does the damage, repairs it and lets the caller go on.
 */
final class FaultScript {

	private static final Logger logger = LoggerFactory.getLogger(FaultScript.class);

	private static final Duration LONG = StrategySupport.LEASE.plusMillis(300);

	private static final Duration SHORT = Duration.ofMillis(500);

	private static final Duration FOREVER = Duration.ofHours(1);

	private static final long GLANCE_NANOS = 2_000_000;

	private final Director director;

	private final Fault fault;

	private final Thread thread = new Thread(this::run, "fault of the lab");

	FaultScript(Director director, Fault fault) {
		this.director = director;
		this.fault = fault;
	}

	void start() {
		this.thread.setDaemon(true);
		this.thread.start();
	}

	/** Returns when the damage is repaired. */
	void end() throws InterruptedException {
		this.thread.join();
	}

	private void run() {
		try {
			while (!this.director.isFaultDue()) {
				if (this.director.isOver()) {
					return;
				}
				LockSupport.parkNanos(GLANCE_NANOS);
			}
			if (this.fault == Fault.FAILOVER) {
				this.director.servers().cutReplica();
			}
			String trap = (this.fault == Fault.LONG_WORK) ? Orders.TRAP_AT_WORK : Orders.TRAP;
			for (int node = 1; node <= this.director.nodes(); node++) {
				this.director.node(node).send(trap);
			}
			int node = awaitTrapped(FOREVER);
			for (int other = 1; other <= this.director.nodes(); other++) {
				if (other != node) {
					// One is enough; the others go on as if nothing was wrong.
					this.director.node(other).send(Orders.RELEASE);
				}
			}
			if (node > 0) {
				strike(node);
			}
		}
		catch (RuntimeException ex) {
			logger.warn("The fault {} of the lab failed", this.fault.id(), ex);
		}
		finally {
			for (int node = 1; node <= this.director.nodes(); node++) {
				this.director.node(node).send(Orders.RELEASE);
			}
		}
	}

	/**
	 * Returns the node of the caller that was trapped, or 0 if none was in time or the
	 * run was over before.
	 */
	private int awaitTrapped(Duration most) {
		long begin = System.nanoTime();
		while (!this.director.isOver() && System.nanoTime() - begin < most.toNanos()) {
			try {
				Integer node = this.director.trapped().poll(20, TimeUnit.MILLISECONDS);
				if (node != null) {
					return node;
				}
			}
			catch (InterruptedException ex) {
				throw new IllegalStateException(ex);
			}
		}
		return 0;
	}

	private void strike(int node) {
		RunServers servers = this.director.servers();
		int hit = this.fault.hitsRedis() ? 0 : node;
		this.director.note(false, hit);
		switch (this.fault) {
			case KILL_HOLDER -> {
				// Before, since a server may let the next holder in before this thread
				// goes on.
				this.director.killing(node);
				this.director.node(node).process().kill();
			}
			case FREEZE_HOLDER -> freeze(node);
			case LONG_WORK -> letAnotherIn(node, LONG);
			case PAUSE_REDIS -> {
				servers.away(true);
				servers.victim().pause();
				try {
					pause(LONG);
				}
				finally {
					servers.victim().resume();
					servers.away(false);
				}
				letAnotherIn(node, Duration.ZERO);
			}
			case RESTART_REDIS -> {
				servers.away(true);
				servers.victim().restart();
				servers.away(false);
				letAnotherIn(node, Duration.ZERO);
			}
			case CUT_CONNECTIONS -> {
				servers.victim().command("CLIENT", "KILL", "TYPE", "normal");
				servers.victim().command("CLIENT", "KILL", "TYPE", "pubsub");
				pause(SHORT);
			}
			case FAILOVER -> {
				servers.away(true);
				servers.failOver();
				servers.away(false);
				letAnotherIn(node, Duration.ZERO);
			}
			case NONE -> throw new IllegalStateException("Nothing to do");
		}
		this.director.note(true, hit);
		this.director.node(node).send(Orders.RELEASE);
		// Whoever came in stays until the one that was hit is done.
		pause(SHORT);
	}

	private void freeze(int node) {
		this.director.node(node).process().freeze();
		this.director.changed(node, Change.FROZEN);
		try {
			letAnotherIn(node, LONG);
		}
		finally {
			// First, so that nothing the node does afterwards counts as done before.
			this.director.changed(node, Change.THAWED);
			this.director.node(node).process().thaw();
		}
	}

	/**
	 * Waits until others have sold something and one of them is inside, so that what the
	 * one that was hit does next meets somebody. If the lock holds, nobody comes in.
	 */
	private void letAnotherIn(int hit, Duration least) {
		int sold = this.director.soldSoFar();
		long begin = System.nanoTime();
		long most = least.plus(LONG).toNanos();
		while (this.director.soldSoFar() < sold + 3 && System.nanoTime() - begin < most && !this.director.isOver()) {
			LockSupport.parkNanos(GLANCE_NANOS);
		}
		if (this.director.soldSoFar() > sold) {
			holdOneOf(hit);
			pause(least.minusNanos(System.nanoTime() - begin));
		}
	}

	private void holdOneOf(int hit) {
		// One that was hit before its write shall be read by the next; one that was hit
		// after it shall not.
		String trap = this.director.hitsAtWork() ? Orders.TRAP_AT_ENTRY : Orders.TRAP_AT_WORK;
		for (int node = 1; node <= this.director.nodes(); node++) {
			if (node != hit) {
				this.director.node(node).send(trap);
			}
		}
		int held = awaitTrapped(LONG);
		for (int node = 1; node <= this.director.nodes(); node++) {
			if (node != hit && node != held) {
				this.director.node(node).send(Orders.RELEASE);
			}
		}
	}

	private static void pause(Duration time) {
		long end = System.nanoTime() + time.toNanos();
		for (long left = time.toNanos(); left > 0; left = end - System.nanoTime()) {
			LockSupport.parkNanos(left);
		}
	}

}
