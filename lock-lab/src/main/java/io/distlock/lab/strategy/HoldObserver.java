package io.distlock.lab.strategy;

import io.distlock.LockLoss;
import io.distlock.LockRequest;
import io.distlock.observe.AcquisitionObserver;
import io.distlock.observe.LockAcquired;
import io.distlock.observe.LockObserver;
import io.distlock.observe.StoreCommand;
import org.jspecify.annotations.Nullable;

/** Writes down what this project does with a lock. */
final class HoldObserver implements LockObserver {

	private final Happenings happenings;

	private final AcquisitionObserver grants = new AcquisitionObserver() {

		@Override
		public void acquired(LockAcquired acquired) {
			HoldObserver.this.happenings.acquired(acquired.fencingToken());
		}

	};

	HoldObserver(Happenings happenings) {
		this.happenings = happenings;
	}

	@Override
	public AcquisitionObserver acquiring(String store, LockRequest request) {
		return this.grants;
	}

	@Override
	public boolean observesCommands() {
		return true;
	}

	@Override
	public void commandEnded(String store, StoreCommand command, long nanos, @Nullable Throwable failure) {
		if (command == StoreCommand.RENEW && failure == null) {
			this.happenings.askedForMore();
		}
	}

	@Override
	public void lost(LockLoss loss) {
		this.happenings.lost(loss);
	}

}
