package io.distlock;

import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

import io.distlock.support.KeyText;

/** Locks that are held in two stores, as their user sees them: the same keys in both. */
final class HandleInBoth extends SeveralHandles {

	private final LockHandle first;

	private final LockHandle second;

	private final List<LockHandle> byKey;

	HandleInBoth(LockHandle first, LockHandle second) {
		super(List.of(first, second));
		this.first = first;
		this.second = second;
		this.byKey = byKey(first.parts(), second.parts());
	}

	private static List<LockHandle> byKey(List<LockHandle> first, List<LockHandle> second) {
		return (first.size() == 1) ? List.of()
				: IntStream.range(0, first.size())
					.<LockHandle>mapToObj((i) -> new HandleInBoth(first.get(i), second.get(i)))
					.toList();
	}

	@Override
	public String key() {
		return this.first.key();
	}

	@Override
	public List<LockHandle> parts() {
		return this.byKey.isEmpty() ? List.of(this) : this.byKey;
	}

	@Override
	public long fencingToken() {
		return this.first.fencingToken();
	}

	@Override
	public Optional<LockHandle> fork(LockRequest request) {
		Optional<LockHandle> fork = LockScopes.fork(this.first, request);
		return fork.flatMap((one) -> {
			try {
				Optional<LockHandle> other = LockScopes.fork(this.second, request);
				if (other.isEmpty()) {
					one.closeAsync();
				}
				return other.map((both) -> new HandleInBoth(one, both));
			}
			catch (RuntimeException ex) {
				one.closeAsync();
				throw ex;
			}
		});
	}

	@Override
	public String toString() {
		return "LockHandle[" + KeyText.of(key()) + " in 2 stores" + (isHeld() ? ", held]" : ", not held]");
	}

}
