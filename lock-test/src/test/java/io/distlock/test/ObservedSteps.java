package io.distlock.test;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import io.distlock.Holder;
import io.distlock.LockLoss;
import io.distlock.LockRequest;
import io.distlock.observe.AcquisitionObserver;
import io.distlock.observe.LockAcquired;
import io.distlock.observe.LockObserver;
import io.distlock.observe.LockRefused;
import io.distlock.observe.LockReleased;
import io.distlock.observe.StoreCommand;
import org.jspecify.annotations.Nullable;

import static org.assertj.core.api.Assertions.assertThat;

/** Writes down all steps of all acquisitions. */
final class ObservedSteps implements LockObserver {

	private final List<Object> steps = new CopyOnWriteArrayList<>();

	volatile String trace = "";

	volatile Runnable during = () -> {
	};

	volatile @Nullable List<String> commands;

	List<String> names() {
		return this.steps.stream().map(ObservedSteps::name).toList();
	}

	private static String name(Object step) {
		if (step instanceof LockAcquired acquired) {
			return "acquired " + acquired.how();
		}
		if (step instanceof LockRefused refused) {
			return "refused " + refused.reason();
		}
		if (step instanceof LockLoss loss) {
			return "lost " + loss.reason();
		}
		return (step instanceof LockReleased) ? "released" : step.toString();
	}

	LockAcquired acquired() {
		return last(LockAcquired.class);
	}

	LockRefused refused() {
		return last(LockRefused.class);
	}

	private <T> T last(Class<T> type) {
		return this.steps.stream()
			.filter(type::isInstance)
			.map(type::cast)
			.reduce((first, second) -> second)
			.orElseThrow();
	}

	private void add(Object step) {
		this.steps.add(step);
		this.during.run();
	}

	@Override
	public AcquisitionObserver acquiring(String store, LockRequest request) {
		return new AcquisitionObserver() {

			@Override
			public String trace() {
				ObservedSteps.this.during.run();
				return ObservedSteps.this.trace;
			}

			@Override
			public void waits(@Nullable Holder holder) {
				add("waits");
			}

			@Override
			public void acquired(LockAcquired acquired) {
				add(acquired);
			}

			@Override
			public void refused(LockRefused refused) {
				add(refused);
			}

			@Override
			public void released(LockReleased released) {
				add(released);
			}

			@Override
			public void lost(LockLoss loss) {
				add(loss);
			}

			@Override
			public void lostBeforeRelease(LockLoss loss) {
				add("found " + loss.reason());
			}

		};
	}

	@Override
	public boolean observesCommands() {
		return this.commands != null;
	}

	@Override
	public void commandEnded(String store, StoreCommand command, long nanos, @Nullable Throwable failure) {
		List<String> known = this.commands;
		if (known != null) {
			assertThat(nanos).isNotNegative();
			known.add((failure != null) ? command + " failed: " + failure : command.toString());
		}
		this.during.run();
	}

}
