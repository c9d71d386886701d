package io.distlock.reliability.leader;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;

import io.distlock.test.ChildJvm;
import io.distlock.test.Pause;

/** The processes of one election, and who was certain to lead and when. */
final class Candidates implements AutoCloseable {

	private static final Duration PATIENCE = Duration.ofSeconds(90);

	private final List<ChildJvm> all = new ArrayList<>();

	private final String elects;

	private final String store;

	private final String address;

	private final Duration lease;

	Candidates(String elects, String store, String address, Duration lease) {
		this.elects = elects;
		this.store = store;
		this.address = address;
		this.lease = lease;
	}

	void start() {
		this.all.add(ChildJvm.of(CandidateProcess.class)
			.options(List.of("-Xmx128m"))
			.args(this.elects, this.store, this.address, String.valueOf(this.lease.toMillis()))
			.start());
	}

	/** Waits for a leadership that began to be certain after a moment. */
	Leadership awaitLeader(long after) {
		await(() -> leader(after).isPresent());
		return leader(after).orElseThrow();
	}

	private Optional<Leadership> leader(long after) {
		return leaderships().stream()
			.filter((leadership) -> leadership.since() > after && leadership.process().isAlive())
			.findFirst();
	}

	/** Waits until a process is certain to lead at a later moment than this. */
	void awaitAnyLeader() {
		long now = System.nanoTime();
		await(() -> leaderships().stream().anyMatch((leadership) -> leadership.until() > now));
	}

	/** The present leader. */
	ChildJvm leader() {
		awaitAnyLeader();
		return leaderships().stream()
			.max((one, other) -> Long.compare(one.until(), other.until()))
			.orElseThrow()
			.process();
	}

	private void await(BooleanSupplier condition) {
		if (!Pause.atMost(PATIENCE, condition)) {
			throw new AssertionError("Nobody leads: " + this.all.stream().map(ChildJvm::output).toList());
		}
	}

	/** All leaderships so far. */
	List<Leadership> leaderships() {
		List<Leadership> found = new ArrayList<>();
		for (ChildJvm process : this.all) {
			Map<Long, Leadership> byToken = new TreeMap<>();
			for (String line : process.lines()) {
				String[] words = line.split(" ");
				if (line.startsWith("@ leads ") && words.length == 5) {
					long token = Long.parseLong(words[2]);
					byToken.put(token,
							new Leadership(process, token, Long.parseLong(words[3]), Long.parseLong(words[4])));
				}
			}
			found.addAll(byToken.values());
		}
		return found;
	}

	/**
	 * Pairs of processes that were certain to lead at the same time, and for how long.
	 */
	List<String> overlaps() {
		List<String> found = new ArrayList<>();
		List<Leadership> all = leaderships();
		for (Leadership one : all) {
			for (Leadership other : all) {
				long together = Math.min(one.until(), other.until()) - Math.max(one.since(), other.since());
				if (one.process() != other.process() && one.since() < other.since() && together > 0) {
					found.add("two led for " + together / 1_000_000 + " ms: " + one + " and " + other);
				}
			}
		}
		return found;
	}

	@Override
	public void close() {
		this.all.forEach(ChildJvm::close);
	}

	/**
	 * A leadership of a process. Moments are of the monotonic clock, which all processes
	 * of a machine share.
	 *
	 * @param process whose
	 * @param token its token
	 * @param since since when it was certain
	 * @param until until when it was certain
	 */
	record Leadership(ChildJvm process, long token, long since, long until) {

		@Override
		public String toString() {
			return "process " + this.process.handle().pid() + " with " + this.token;
		}

	}

}
