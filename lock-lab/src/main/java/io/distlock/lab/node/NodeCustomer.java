package io.distlock.lab.node;

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntConsumer;
import java.util.function.IntSupplier;

import io.distlock.lab.event.LabEvent.Kind;
import io.distlock.lab.strategy.Customer;
import io.distlock.lab.strategy.Step.Place;

/** A customer in a node: does what the strategy says, and records each step. */
final class NodeCustomer implements Customer {

	private static final long SHORT_NANOS = 1_000_000;

	private static final long LONG_NANOS = 5_000_000;

	private final NodeRun run;

	private final int number;

	private long asked;

	private boolean inside;

	/** Whether this attempt has been inside and is not any more. */
	private boolean left;

	private boolean wrote;

	NodeCustomer(NodeRun run, int number) {
		this.run = run;
		this.number = number;
	}

	void ask() {
		this.asked = System.nanoTime();
		this.left = false;
	}

	@Override
	public String name() {
		return this.run.plan().node() + ":" + this.number;
	}

	@Override
	public boolean buy(Runnable check) {
		enter();
		try {
			int left = this.run.shelf().read();
			if (left <= 0) {
				return false;
			}
			work();
			check.run();
			wrote(left - 1, this.run.shelf().write(left - 1));
			sold(left);
			return true;
		}
		finally {
			leave();
		}
	}

	@Override
	public boolean buyFenced(long token) {
		enter();
		try {
			int left = this.run.shelf().read(token);
			if (left == 0) {
				return false;
			}
			work();
			if (left > 0 && this.run.shelf().write(left - 1, token)) {
				wrote(left - 1, left);
				sold(left);
			}
			else {
				this.run.log().add(Kind.REFUSED, this.number, 0, 0, Long.toString(token));
			}
			return true;
		}
		finally {
			leave();
		}
	}

	@Override
	public boolean buyFrom(int left, IntConsumer write) {
		enter();
		try {
			if (left <= 0) {
				return false;
			}
			work();
			write.accept(left - 1);
			sold(left);
			return true;
		}
		finally {
			leave();
		}
	}

	@Override
	public boolean buyInOneStep(IntSupplier step) {
		enter();
		try {
			work();
			int item = step.getAsInt();
			if (item > 0) {
				sold(item);
			}
			return item > 0;
		}
		finally {
			leave();
		}
	}

	@Override
	public void sold(int item) {
		this.wrote = true;
		this.run.log().add(Kind.SOLD, this.number, item, waited());
		this.run.countSale();
	}

	@Override
	public void work() {
		boolean held = pass(Place.WORK);
		long nanos = TimeUnit.MILLISECONDS.toNanos(this.run.plan().insideMillis());
		if (!held && nanos > 0) {
			pause(nanos);
		}
	}

	@Override
	public void between() {
		pass(Place.BETWEEN);
	}

	@Override
	public void retry() {
		retryAtOnce();
		pause(ThreadLocalRandom.current().nextLong(SHORT_NANOS, LONG_NANOS));
	}

	@Override
	public void retryAtOnce() {
		this.run.log().retried();
		checkOpen();
	}

	@Override
	public void conflict() {
		this.run.log().conflicted();
		checkOpen();
	}

	@Override
	public void checkOpen() {
		if (this.run.isOver()) {
			throw new RunOverException();
		}
	}

	/** An attempt that failed: the customer comes again after a moment. */
	void failed(Throwable failure) {
		this.run.log().add(Kind.FAILURE, this.number, (failure instanceof Error) ? 1 : 0, 0);
		pause(10 * LONG_NANOS);
	}

	private void enter() {
		this.inside = true;
		this.wrote = false;
		this.run.log().add(Kind.ENTER, this.number, waited(), 0, this.run.happenings().token());
		pass(Place.ENTRY);
	}

	private void wrote(int left, int over) {
		this.run.log().add(Kind.WROTE, this.number, left, over);
	}

	private void leave() {
		if (this.inside) {
			this.inside = false;
			this.left = true;
			this.run.log().add(this.wrote ? Kind.LEAVE : Kind.ABANDON, this.number, 0, 0);
		}
	}

	private boolean pass(Place place) {
		return this.run.trap().pass(place, this.number, this.left, this.run.log());
	}

	private int waited() {
		return (int) Math.min(Integer.MAX_VALUE, (System.nanoTime() - this.asked) / 1000);
	}

	private static void pause(long nanos) {
		long end = System.nanoTime() + nanos;
		for (long left = nanos; left > 0 && !Thread.currentThread().isInterrupted(); left = end - System.nanoTime()) {
			LockSupport.parkNanos(left);
		}
	}

}
