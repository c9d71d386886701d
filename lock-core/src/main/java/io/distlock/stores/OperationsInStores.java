package io.distlock.stores;

import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.distlock.operations.ForcedRelease;
import io.distlock.operations.HeldLock;
import io.distlock.operations.LockOperations;
import io.distlock.operations.WaitingCaller;
import io.distlock.spi.LockPage;
import io.distlock.spi.LockSnapshot;

/**
 * The operations for one lock in the stores of that lock, and for all locks in all
 * stores, one store after the other.
 */
final class OperationsInStores implements LockOperations {

	private static final String SEPARATOR = ":";

	private static final String BEGIN = "0" + SEPARATOR;

	private static final Pattern CURSOR = Pattern.compile("([0-9]{1,9})" + SEPARATOR + "(.*)", Pattern.DOTALL);

	private final List<LockOperations> all;

	private final Function<String, List<LockOperations>> ofKey;

	/**
	 * Creates the operations.
	 * @param all the operations of each store, always in the same order
	 * @param ofKey returns the operations of the stores that a lock is in
	 */
	OperationsInStores(List<LockOperations> all, Function<String, List<LockOperations>> ofKey) {
		this.all = List.copyOf(all);
		this.ofKey = ofKey;
	}

	/** Returns the snapshot of the first store in which the lock is held. */
	@Override
	public LockSnapshot find(String key) {
		List<LockOperations> stores = this.ofKey.apply(key);
		LockSnapshot found = stores.get(0).find(key);
		for (int i = 1; i < stores.size() && found.holds().isEmpty(); i++) {
			found = stores.get(i).find(key);
		}
		return found;
	}

	@Override
	public void probe(String key) {
		this.ofKey.apply(key).forEach((store) -> store.probe(key));
	}

	@Override
	public List<HeldLock> heldHere() {
		return this.all.stream()
			.flatMap((store) -> store.heldHere().stream())
			.sorted(Comparator.comparing(HeldLock::age).reversed())
			.toList();
	}

	@Override
	public List<WaitingCaller> waitingHere() {
		return this.all.stream()
			.flatMap((store) -> store.waitingHere().stream())
			.sorted(Comparator.comparing(WaitingCaller::waited).reversed())
			.toList();
	}

	/**
	 * Takes a cursor that contains the position of the store and the cursor in that
	 * store.
	 */
	@Override
	public LockPage list(String prefix, int limit, String cursor) {
		Matcher parts = CURSOR.matcher(cursor.isEmpty() ? BEGIN : cursor);
		int store = parts.matches() ? Integer.parseInt(parts.group(1)) : this.all.size();
		if (store >= this.all.size()) {
			throw new IllegalArgumentException("The cursor is not one of this listing; begin without one");
		}
		LockPage page = this.all.get(store).list(prefix, limit, parts.group(2));
		if (!page.isLast()) {
			return new LockPage(page.locks(), store + SEPARATOR + page.next());
		}
		return (store + 1 < this.all.size()) ? new LockPage(page.locks(), (store + 1) + SEPARATOR) : page;
	}

	@Override
	public ForcedRelease forceRelease(String key, String reason) {
		return forceReleaseEach(key, (store) -> store.forceRelease(key, reason));
	}

	@Override
	public ForcedRelease forceRelease(String key, String reason, String by) {
		return forceReleaseEach(key, (store) -> store.forceRelease(key, reason, by));
	}

	@Override
	public void checkForceRelease(String key) {
		this.ofKey.apply(key).forEach((store) -> store.checkForceRelease(key));
	}

	/**
	 * Releases the lock in all its stores, because it is free only then, or in none if
	 * one of them cannot. Returns the result of the first store.
	 */
	private ForcedRelease forceReleaseEach(String key, Function<LockOperations, ForcedRelease> release) {
		checkForceRelease(key);
		List<ForcedRelease> results = this.ofKey.apply(key).stream().map(release).toList();
		return results.get(0);
	}

}
