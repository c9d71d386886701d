package io.distlock.reliability.rig;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import io.distlock.spi.Sharing;

/**
 * Judges a history. Whatever happened to processes, server and network, no two may have
 * believed in a lock at once, unless they share it, nor more than there are permits;
 * tokens must increase in the order in which the beliefs began, the fenced register must
 * never have refused a holder, and a loss must have been told.
 */
public final class Checker {

	/** More tokens than a process reserves at once. */
	private static final int BLOCK = 128;

	private Checker() {
	}

	/**
	 * What a history shows.
	 *
	 * @param grants how many locks were granted
	 * @param losses how many were lost before the section was over
	 * @param forgotten how many the store forgot though their time was not over
	 * @param overlaps pairs that believed at once, and holders whom the fenced register
	 * refused because of a later one
	 * @param tokens tokens that did not increase
	 * @param others whatever else is wrong
	 */
	public record Verdict(int grants, int losses, int forgotten, List<String> overlaps, List<String> tokens,
			List<String> others) {

		/** All that is wrong. */
		public List<String> violations() {
			List<String> all = new ArrayList<>(this.overlaps);
			all.addAll(this.tokens);
			all.addAll(this.others);
			return all;
		}

	}

	/** Judges a history that may still go on: what is open is not held against it. */
	public static Verdict judge(History history) {
		return judge(history, false);
	}

	/**
	 * Judges a history in which the server lost its data. A process that still believes
	 * may pass its lock on, with tokens of the block it got before another one was
	 * granted; these are counted as overlaps if they are, and not as tokens going back.
	 */
	public static Verdict judgeForgetful(History history) {
		return judge(history, true);
	}

	private static Verdict judge(History history, boolean forgetful) {
		List<String> overlaps = new ArrayList<>();
		List<String> tokens = new ArrayList<>();
		List<String> others = new ArrayList<>();
		byKey(history).values().forEach((grants) -> {
			overlaps(grants, overlaps);
			tokens(grants, forgetful, tokens);
		});
		history.grants().forEach((grant) -> {
			if (grant.ending().refused()) {
				overlaps.add("The fenced register refused a holder: " + grant);
			}
			if (silent(grant)) {
				others.add("Lost in silence: " + grant);
			}
		});
		int forgotten = (int) history.grants().stream().filter((grant) -> grant.ending().forgotten()).count();
		return new Verdict(history.grants().size(), (int) history.grants().stream().filter(Grant::lost).count(),
				forgotten, overlaps, tokens, others);
	}

	/** Judges a history that is over: what began must have ended. */
	public static Verdict judgeEnded(History history, int workers) {
		Verdict verdict = judge(history);
		for (Grant grant : history.grants()) {
			boolean closed = grant.ended() && grant.ending().closed() != Grant.Ending.NEVER;
			if (!closed && !history.killed().containsKey(grant.worker())) {
				verdict.others().add("Never ended: " + grant);
			}
		}
		for (int worker = 0; worker < workers; worker++) {
			if (!history.killed().containsKey(worker) && !history.over().contains(worker)) {
				verdict.others().add("Worker " + worker + " died by itself");
			}
		}
		history.uneasy().forEach((worker) -> verdict.others().add("Worker " + worker + " kept something of a lock"));
		return verdict;
	}

	private static Map<Integer, List<Grant>> byKey(History history) {
		Map<Integer, List<Grant>> keys = new TreeMap<>();
		history.grants().forEach((grant) -> keys.computeIfAbsent(grant.key(), (key) -> new ArrayList<>()).add(grant));
		keys.values().forEach((grants) -> grants.sort(Comparator.comparingLong(Grant::start)));
		return keys;
	}

	private static void overlaps(List<Grant> grants, List<String> found) {
		List<Grant> believed = new ArrayList<>();
		for (Grant grant : grants) {
			if (!grant.believed()) {
				continue;
			}
			believed.removeIf((other) -> other.until() <= grant.start());
			believed.stream()
				.filter((other) -> !other.goesWith(grant))
				.max(Comparator.comparingLong(Grant::until))
				.ifPresent((other) -> found
					.add("Two believe for " + (Math.min(grant.until(), other.until()) - grant.start()) + " ns: " + other
							+ " and " + grant));
			long others = believed.stream().filter((other) -> other.goesWith(grant)).count();
			believed.add(grant);
			if (!grant.sharing().admits((int) others)) {
				found.add("More believe than there are permits: " + believed);
			}
		}
	}

	/**
	 * One whose time was over before it began has no place in the order. Readers of one
	 * process may have one token, and permits may pass on in any order.
	 */
	private static void tokens(List<Grant> grants, boolean forgetful, List<String> found) {
		Map<Long, Grant> known = new HashMap<>();
		// One of each kind is enough.
		Map<Class<?>, Grant> highest = new HashMap<>();
		for (Grant grant : grants) {
			Grant same = known.put(grant.token(), grant);
			if (same != null && !readTogether(same, grant)) {
				found.add("One token twice: " + same + " and " + grant);
			}
			if (grant.believed()) {
				highest.values()
					.stream()
					.filter((other) -> grant.token() <= other.token() && !other.goesWith(grant)
							&& !(forgetful && passedOn(grants, grant, other)))
					.findFirst()
					.ifPresent((other) -> found.add("Token went back: " + other + " and then " + grant));
				highest.merge(grant.sharing().getClass(), grant,
						(before, next) -> (before.token() >= next.token()) ? before : next);
			}
		}
	}

	private static boolean readTogether(Grant one, Grant other) {
		return one.worker() == other.worker() && one.sharing() instanceof Sharing.Shared
				&& other.sharing() instanceof Sharing.Shared;
	}

	/** Whether its process had the block of this token before the other one began. */
	private static boolean passedOn(List<Grant> grants, Grant grant, Grant other) {
		return grants.stream()
			.anyMatch((before) -> before.worker() == grant.worker() && before.start() < other.start()
					&& before.token() < grant.token() && before.token() >= grant.token() - BLOCK);
	}

	private static boolean silent(Grant grant) {
		boolean told = grant.ending().told() || grant.ending().lostAt() != Grant.Ending.NEVER;
		return grant.lost() && grant.ending().closed() != Grant.Ending.NEVER && !told;
	}

}
