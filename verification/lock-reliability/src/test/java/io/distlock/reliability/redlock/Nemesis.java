package io.distlock.reliability.redlock;

import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import io.distlock.test.redis.RedisServer;

/**
 * Does one thing to one server at a time, until that one is back in the quorum. Run by as
 * many threads as servers may be away.
 */
final class Nemesis implements Runnable {

	private final List<RedisServer> healthy;

	private final Duration quarantine;

	private final Random random;

	private final CountDownLatch stopped = new CountDownLatch(1);

	private final Map<Fault, Integer> done = new EnumMap<>(Fault.class);

	private enum Fault {

		/** Dies, and comes back without its data. */
		KILL,

		/** Ends in good order, and comes back without its data. */
		RESTART,

		/** Hangs, and goes on with what it was sent meanwhile. */
		FREEZE

	}

	Nemesis(List<RedisServer> servers, Duration quarantine, long seed) {
		this.healthy = new ArrayList<>(servers);
		this.quarantine = quarantine;
		this.random = new Random(seed);
	}

	@Override
	public void run() {
		while (this.stopped.getCount() > 0) {
			RedisServer server = take();
			hurt(server, next());
			giveBack(server);
			pause(50, 500);
		}
	}

	private void hurt(RedisServer server, Fault fault) {
		switch (fault) {
			case KILL -> server.kill();
			case RESTART -> server.stop();
			case FREEZE -> server.pause();
		}
		pause(50, 1500);
		if (fault == Fault.FREEZE) {
			server.resume();
		}
		else {
			server.restart();
			// It is of no use before, and would be a third one that is away.
			pause((int) this.quarantine.toMillis() + 200, 300);
		}
	}

	private synchronized Fault next() {
		Fault fault = Fault.values()[this.random.nextInt(Fault.values().length)];
		this.done.merge(fault, 1, Integer::sum);
		return fault;
	}

	private synchronized RedisServer take() {
		return this.healthy.remove(this.random.nextInt(this.healthy.size()));
	}

	private synchronized void giveBack(RedisServer server) {
		this.healthy.add(server);
	}

	/** Some time, unless all is over. */
	private void pause(int least, int more) {
		long millis;
		synchronized (this) {
			millis = least + this.random.nextInt(more);
		}
		try {
			this.stopped.await(millis, TimeUnit.MILLISECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	void stop() {
		this.stopped.countDown();
	}

	synchronized int faults() {
		return this.done.values().stream().mapToInt(Integer::intValue).sum();
	}

	@Override
	public synchronized String toString() {
		return "faults " + this.done;
	}

}
