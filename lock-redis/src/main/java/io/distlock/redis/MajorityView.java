package io.distlock.redis;

import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;

import io.distlock.spi.LockSnapshot;
import io.distlock.spi.RequestId;

/** What several nodes know of a lock, as one: what a majority says is so. */
final class MajorityView {

	private MajorityView() {
	}

	static LockSnapshot of(String key, List<LockSnapshot> nodes, int majority) {
		return nodes.stream()
			.filter((snapshot) -> snapshot.owner() != null)
			.collect(Collectors.groupingBy((snapshot) -> Objects.requireNonNull(snapshot.owner())))
			.entrySet()
			.stream()
			.filter((entry) -> entry.getValue().size() >= majority)
			.findFirst()
			.map((entry) -> held(key, entry.getKey(), entry.getValue(), majority))
			.orElseGet(() -> LockSnapshot.of(key, true, List.of(), highest(nodes), List.of()));
	}

	private static LockSnapshot held(String key, RequestId attempt, List<LockSnapshot> nodes, int majority) {
		// Until then a majority holds it.
		Duration remaining = nodes.stream()
			.map(LockSnapshot::remaining)
			.sorted(Comparator.reverseOrder())
			.skip(majority - 1L)
			.findFirst()
			.orElse(Duration.ZERO);
		long token = agreed(nodes);
		LockSnapshot.Hold hold = new LockSnapshot.Hold(QuorumRequest.ofAttempt(attempt), nodes.get(0).holder(), token,
				remaining);
		return LockSnapshot.of(key, true, List.of(hold), token, List.of());
	}

	/** The token most nodes have: one that came late may have a higher one of its own. */
	private static long agreed(List<LockSnapshot> nodes) {
		return nodes.stream()
			.map(LockSnapshot::fencingToken)
			.collect(Collectors.groupingBy(Function.identity(), Collectors.counting()))
			.entrySet()
			.stream()
			.max(Map.Entry.<Long, Long>comparingByValue().thenComparing(Map.Entry.comparingByKey()))
			.map(Map.Entry::getKey)
			.orElse(0L);
	}

	private static long highest(List<LockSnapshot> nodes) {
		return nodes.stream().mapToLong(LockSnapshot::fencingToken).max().orElse(0);
	}

}
