package io.distlock.internal;

import java.time.Duration;
import java.util.List;

import io.distlock.LockStoreException;
import io.distlock.spi.TransientStoreException;

/**
 * A command that a caller executes itself, outside the monitor: whatever happens to it,
 * the caller does nothing else meanwhile, and others do what they like.
 */
final class ModelDirect implements Runnable {

	/** How long a client waits for a server that hangs: less than the engine does. */
	private static final Duration PATIENCE = ModelInstance.TIMEOUT.dividedBy(2);

	private final ModelInstance instance;

	private final ModelInstance.Command<?> command;

	private ModelInstance.Answer<?> answer;

	private LockStoreException failure;

	private long hangsUntil;

	private boolean hanging;

	ModelDirect(ModelInstance instance, ModelInstance.Command<?> command) {
		this.instance = instance;
		this.command = command;
	}

	/**
	 * Adds what may happen to the command.
	 * @param steps gets the steps
	 * @param caller the caller
	 * @param end makes the caller run the command to its end
	 */
	void steps(List<ModelStep> steps, String caller, Runnable end) {
		if (this.hanging) {
			if (this.hangsUntil - this.instance.engine().now() <= 0) {
				add(steps, caller, "gives up", ModelStep.Kind.NORMAL, () -> failing("timed out", end));
			}
			return;
		}
		if (this.answer == null) {
			add(steps, caller, "executes itself", ModelStep.Kind.NORMAL, () -> this.answer = this.command.execute());
			add(steps, caller, "breaks before", ModelStep.Kind.FAULT, () -> failing("connection broken", end));
			add(steps, caller, "refuses", ModelStep.Kind.FAULT, () -> {
				this.failure = new LockStoreException("", "no permission", null);
				end.run();
			});
			add(steps, caller, "hangs before", ModelStep.Kind.FAULT, () -> {
				this.instance.late(this.command);
				hang();
			});
		}
		else {
			add(steps, caller, "gets itself", ModelStep.Kind.NORMAL, end);
			add(steps, caller, "breaks after", ModelStep.Kind.FAULT, () -> failing("connection broken", end));
			add(steps, caller, "hangs after", ModelStep.Kind.FAULT, this::hang);
		}
	}

	private void add(List<ModelStep> steps, String caller, String what, ModelStep.Kind kind, Runnable action) {
		steps.add(new ModelStep(caller, what, this.command, kind, action));
	}

	private void failing(String why, Runnable end) {
		this.failure = new TransientStoreException("", why, null);
		end.run();
	}

	private void hang() {
		this.hanging = true;
		this.hangsUntil = this.instance.engine().now() + PATIENCE.toNanos();
	}

	/** When its client gives up, or {@code latest}. */
	long due(long latest) {
		return this.hanging ? this.hangsUntil : latest;
	}

	/** Comes back from the client. What follows from that is executed at once. */
	@Override
	public void run() {
		if (this.failure != null) {
			this.command.fail(this.failure);
			return;
		}
		if (this.answer == null) {
			this.answer = this.command.execute();
		}
		this.answer.deliver();
	}

}
