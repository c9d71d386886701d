package io.distlock.output;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/**
 * Calls an action with so little stack left that the stack overflows, at other points of
 * the action each time. Classes that are initialized without stack stay unusable, so a
 * process that does this should do nothing else, and warm the action up first.
 */
public final class DeepStack {

	private static final int STACK_BYTES = 512 * 1024;

	private static final int DEEPEST = 1_000_000;

	/** The least difference between two depths, so that a few calls reach many points. */
	private static final int STEP = 7;

	private DeepStack() {
	}

	/**
	 * Calls an action, first with hardly any stack, then with more and more, until it has
	 * returned several times in a row.
	 * @param action gets a new name each time
	 * @return the names of the calls that ended with an overflow
	 */
	public static List<String> overflows(Consumer<String> action) {
		int deepest = deepest();
		List<String> overflown = new ArrayList<>();
		int completed = 0;
		for (int left = 1; completed < 5 && left < deepest; left += STEP) {
			String name = "deep:" + left;
			if (overflowsAt(deepest - left, () -> action.accept(name))) {
				overflown.add(name);
				completed = 0;
			}
			else {
				completed++;
			}
		}
		return overflown;
	}

	/** The depth at which an empty action just returns. */
	private static int deepest() {
		int returns = 0;
		int overflows = DEEPEST;
		while (overflows - returns > 1) {
			int middle = (returns + overflows) / 2;
			if (overflowsAt(middle, () -> {
			})) {
				overflows = middle;
			}
			else {
				returns = middle;
			}
		}
		return returns;
	}

	private static boolean overflowsAt(int depth, Runnable action) {
		AtomicBoolean returned = new AtomicBoolean();
		Thread thread = new Thread(null, () -> {
			try {
				descend(depth, () -> {
					action.run();
					returned.set(true);
				});
			}
			catch (Throwable ex) {
				// Mostly the overflow; the caller asks whether the action returned.
			}
		}, "deep", STACK_BYTES);
		thread.start();
		try {
			thread.join();
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
		return !returned.get();
	}

	private static void descend(int depth, Runnable action) {
		if (depth == 0) {
			action.run();
		}
		else {
			descend(depth - 1, action);
		}
	}

}
