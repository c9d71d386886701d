package io.distlock.internal;

import io.distlock.spi.FinishResult;

/** Watches how a release ends. */
final class ModelEnding implements Ending {

	private final Hold hold;

	private int told;

	ModelEnding(Hold hold) {
		this.hold = hold;
	}

	boolean isTold() {
		return this.told > 0;
	}

	@Override
	public void confirmed(FinishResult result, boolean conclusive) {
		tell();
		ModelFailures.unless(this.hold.lossFoundAtRelease(result, conclusive) == null,
				"A release in time finds its hold", result);
	}

	@Override
	public void abandoned() {
		tell();
	}

	private void tell() {
		this.told++;
		ModelFailures.unless(this.told == 1, "A release ends once", this.hold.request());
	}

	@Override
	public boolean awaited() {
		return true;
	}

}
