package io.distlock.internal.monitor;

/** A monitor that has nothing to settle. Nothing is ever due. */
public final class QuietMonitor extends Monitor {

	public QuietMonitor() {
		super(new WakeTime(0), 0);
	}

	@Override
	public void tick() {
	}

	@Override
	protected long settle() {
		return 0;
	}

}
