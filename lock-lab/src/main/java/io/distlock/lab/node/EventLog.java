package io.distlock.lab.node;

import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;

import io.distlock.lab.event.LabClock;
import io.distlock.lab.event.LabEvent;
import io.distlock.lab.event.LabEvent.Kind;

/**
 * Takes down events and sends them to the director. It loses none: if the director is
 * slow, callers wait here.
 */
final class EventLog {

	private static final int CAPACITY = 100_000;

	private static final long INTERVAL_NANOS = 10_000_000;

	private final BlockingQueue<LabEvent> events = new ArrayBlockingQueue<>(CAPACITY);

	private final LongAdder retries = new LongAdder();

	private final LongAdder conflicts = new LongAdder();

	private final DataOutputStream out;

	private volatile LabClock clock = new LabClock();

	EventLog(DataOutputStream out) {
		this.out = out;
	}

	/** Reads the wall clock anew, for a run that begins. */
	void setClock() {
		this.clock = new LabClock();
	}

	void add(Kind kind, int caller, int value, int extra) {
		add(kind, caller, value, extra, "");
	}

	void add(Kind kind, int caller, int value, int extra, String text) {
		LabEvent event = new LabEvent(kind, caller, this.clock.micros(), value, extra, text);
		boolean interrupted = false;
		while (true) {
			try {
				this.events.put(event);
				break;
			}
			catch (InterruptedException ex) {
				interrupted = true;
			}
		}
		if (interrupted) {
			Thread.currentThread().interrupt();
		}
	}

	void retried() {
		this.retries.increment();
	}

	void conflicted() {
		this.conflicts.increment();
	}

	/** Sends until the director is gone. */
	void send() {
		List<LabEvent> batch = new ArrayList<>();
		try {
			while (true) {
				// Before the queue is read: what comes later is in the next batch.
				long complete = this.clock.micros();
				this.events.drainTo(batch);
				for (LabEvent event : batch) {
					event.write(this.out);
				}
				batch.clear();
				int retries = (int) this.retries.sumThenReset();
				int conflicts = (int) this.conflicts.sumThenReset();
				if (retries + conflicts > 0) {
					new LabEvent(Kind.COUNTS, -1, complete, retries, conflicts).write(this.out);
				}
				new LabEvent(Kind.HEARTBEAT, -1, complete, 0, 0).write(this.out);
				this.out.flush();
				LockSupport.parkNanos(INTERVAL_NANOS);
			}
		}
		catch (IOException ex) {
			// The reader is gone.
			Runtime.getRuntime().halt(0);
		}
	}

}
