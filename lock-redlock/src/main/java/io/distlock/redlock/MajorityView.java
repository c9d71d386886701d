package io.distlock.redlock;

import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.distlock.spi.LockSnapshot;
import io.distlock.spi.RequestId;

/** Combines the nodes' snapshots of a lock into the state on which a majority agrees. */
final class MajorityView {

	private MajorityView() {
	}

	static LockSnapshot of(String key, List<LockSnapshot> nodes, int majority) {
		Map<RequestId, List<LockSnapshot.Hold>> byRequest = nodes.stream()
			.flatMap((snapshot) -> snapshot.holds().stream())
			.collect(Collectors.groupingBy(LockSnapshot.Hold::request));
		byRequest.values().removeIf((same) -> same.size() < majority);
		boolean alone = nodes.stream().filter((snapshot) -> snapshot.owner() != null).count() >= majority;
		long token = alone ? ofOwner(nodes, byRequest.keySet()) : highest(nodes);
		List<LockSnapshot.Hold> holds = byRequest.values()
			.stream()
			.map((same) -> agreed(same, majority, alone ? Stream.of(token) : tokens(same)))
			.sorted(Comparator.comparingLong(LockSnapshot.Hold::fencingToken))
			.toList();
		return LockSnapshot.of(key, alone, holds, token, List.of());
	}

	private static Stream<Long> tokens(List<LockSnapshot.Hold> same) {
		return same.stream().map(LockSnapshot.Hold::fencingToken);
	}

	private static LockSnapshot.Hold agreed(List<LockSnapshot.Hold> same, int majority, Stream<Long> tokens) {
		// The longest time for which a majority keeps the hold.
		Duration remaining = same.stream()
			.map(LockSnapshot.Hold::remaining)
			.sorted(Comparator.reverseOrder())
			.skip(majority - 1L)
			.findFirst()
			.orElse(Duration.ZERO);
		LockSnapshot.Hold any = same.get(0);
		return new LockSnapshot.Hold(QuorumRequest.ofAttempt(any.request()), any.holder(), mostFrequent(tokens),
				remaining);
	}

	/**
	 * Returns the token that most nodes have for an exclusive owner, because a late node
	 * may have a higher one. Other attempts count only if no majority agrees on one.
	 */
	private static long ofOwner(List<LockSnapshot> nodes, Set<RequestId> agreed) {
		return mostFrequent(nodes.stream()
			.filter((snapshot) -> snapshot.owner() != null && (agreed.isEmpty() || agreed.contains(snapshot.owner())))
			.map(LockSnapshot::fencingToken));
	}

	private static long highest(List<LockSnapshot> nodes) {
		return nodes.stream().mapToLong(LockSnapshot::fencingToken).max().orElse(0);
	}

	private static long mostFrequent(Stream<Long> tokens) {
		return tokens.collect(Collectors.groupingBy(Function.identity(), Collectors.counting()))
			.entrySet()
			.stream()
			.max(Map.Entry.<Long, Long>comparingByValue().thenComparing(Map.Entry.comparingByKey()))
			.map(Map.Entry::getKey)
			.orElse(0L);
	}

}
