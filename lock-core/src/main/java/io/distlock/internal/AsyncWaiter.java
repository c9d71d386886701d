package io.distlock.internal;

import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

/** Somebody who wants a lock and has no thread waiting for it; the handle will own it. */
final class AsyncWaiter extends Waiter {

	private final Consumer<Outcome> told;

	/**
	 * Creates a waiter.
	 * @param wish what it wants
	 * @param now the monotonic clock
	 * @param told the outcome; must not block
	 */
	AsyncWaiter(Wish wish, long now, Consumer<Outcome> told) {
		super(wish, now);
		this.told = told;
	}

	@Override
	@Nullable Thread thread() {
		return null;
	}

	@Override
	String ownerName() {
		return "async";
	}

	@Override
	boolean reportsAtUnlock() {
		return false;
	}

	@Override
	boolean needsAlarm() {
		return true;
	}

	@Override
	void wake() {
		Outcome outcome = outcome();
		if (outcome != null) {
			this.told.accept(outcome);
		}
	}

}
