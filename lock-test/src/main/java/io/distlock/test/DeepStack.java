package io.distlock.test;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

/**
 * Calls an action with so little stack left that the stack overflows, at other points of
 * the action each time. Classes that are initialized without stack stay unusable, so a
 * process that does this should do nothing else, and warm the action up first.
 */
final class DeepStack {

	private static final int STACK_BYTES = 512 * 1024;

	/** The least difference between two depths, so that a few calls reach many points. */
	private static final int STEP = 7;

	private DeepStack() {
	}

	/**
	 * Calls an action, first with hardly any stack, then with more and more, until it has
	 * returned several times in a row.
	 * @param prefix what the names begin with
	 * @param action gets a new name each time
	 * @return the names of the calls that failed, mostly with an overflow, and how
	 */
	static Map<String, Throwable> overflows(String prefix, Consumer<String> action) {
		Map<String, Throwable> overflown = new LinkedHashMap<>();
		int completed = 0;
		for (int frames = 0; completed < 5; frames += STEP) {
			String name = prefix + ":" + frames;
			Throwable failure = run(new Attempt(frames, () -> action.accept(name)));
			if (failure != null) {
				overflown.put(name, failure);
				completed = 0;
			}
			else {
				completed++;
			}
		}
		return overflown;
	}

	private static @Nullable Throwable run(Attempt attempt) {
		Thread thread = new Thread(null, attempt::descend, "deep", STACK_BYTES);
		thread.start();
		try {
			thread.join();
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
		return attempt.failure;
	}

	/** Overflows the stack, and calls the action when some frames are free again. */
	private static final class Attempt {

		private final int frames;

		private final Runnable action;

		private int free;

		private volatile @Nullable Throwable failure;

		private Attempt(int frames, Runnable action) {
			this.frames = frames;
			this.action = action;
		}

		private void descend() {
			try {
				descend();
			}
			catch (StackOverflowError ex) {
				// The deepest frame.
			}
			if (this.free++ == this.frames) {
				call();
			}
		}

		private void call() {
			try {
				this.action.run();
			}
			catch (Throwable ex) {
				this.failure = ex;
			}
		}

	}

}
