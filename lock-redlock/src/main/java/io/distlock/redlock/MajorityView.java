package io.distlock.redlock;

import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
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
		boolean alone = nodes.stream().filter((snapshot) -> snapshot.owner() != null).count() >= majority;
		long token = highest(nodes, alone);
		List<LockSnapshot.Hold> holds = byRequest.values()
			.stream()
			.filter((same) -> same.size() >= majority)
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
	 * Returns the highest token, or for an exclusive owner the token that most nodes
	 * have, because a late node may have a higher one.
	 */
	private static long highest(List<LockSnapshot> nodes, boolean alone) {
		Stream<Long> tokens = nodes.stream()
			.filter((snapshot) -> !alone || snapshot.owner() != null)
			.map(LockSnapshot::fencingToken);
		return alone ? mostFrequent(tokens) : tokens.max(Comparator.naturalOrder()).orElse(0L);
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
