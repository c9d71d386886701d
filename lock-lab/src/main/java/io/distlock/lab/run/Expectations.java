package io.distlock.lab.run;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.distlock.lab.strategy.Staircase;
import io.distlock.lab.strategy.Step;
import io.distlock.lab.strategy.Step.Server;
import io.distlock.lab.strategy.Step.Stock;
import org.jspecify.annotations.Nullable;

/**
 * What each strategy does when each fault happens. {@code StrategyTests} compares the
 * table with runs.
 */
public final class Expectations {

	/**
	 * Faults in the order of {@link Fault}; h holds, b breaks, s sticks, c by chance, u
	 * uncertain.
	 */
	private static final Map<String, String> ROWS = rows("""
			                     none kill freeze long pause restart cut failover
			nothing               b    b    b     b    -     -       -   -
			synchronized          b    b    b     b    -     -       -   -
			setnx-del             h    s    h     h    h     b       c   c
			recursion             h    c    b     c    b     b       c   b
			spinning              h    h    b     b    b     b       h   b
			setnx-expire          h    s    h     b    h     b       c   c
			blind-delete          h    h    b     b    b     b       h   b
			check-then-delete     h    h    b     b    b     b       h   b
			owner-lua             h    h    b     b    b     b       h   b
			setnx-twice           s    -    -     -    -     -       -   -
			owner-twice           b    b    b     b    b     b       b   b
			hash-count            h    h    b     b    b     b       h   b
			hash-renewed          h    h    b     h    b     b       h   b
			optimistic            h    u    h     h    h     u       u   c
			stock-script          h    u    h     h    u     u       u   c
			conditional-update    h    u    h     h    -     -       -   -
			select-for-update     h    h    h     h    -     -       -   -
			annotation-redis      h    h    b     h    b     b       h   b
			lock-in-transaction   b    b    b     b    b     b       b   b
			transaction-in-lock   h    h    b     h    b     b       h   b
			guarded-redis         h    h    h     h    h     h       h   h
			guarded-redlock       h    h    h     h    h     h       h   -
			guarded-jdbc          h    h    h     h    -     -       -   -
			guarded-zookeeper     h    h    h     h    -     -       -   -
			semaphore             h    u    c     h    u     u       u   u
			fenced-writes         h    h    h     h    h     h       h   h
			""");

	private Expectations() {
	}

	private static Map<String, String> rows(String table) {
		Map<String, String> rows = new LinkedHashMap<>();
		table.lines().skip(1).forEach((line) -> {
			List<String> words = Arrays.asList(line.strip().split(" +"));
			rows.put(words.get(0), String.join("", words.subList(1, words.size())));
		});
		return rows;
	}

	/**
	 * Says what a run leads to.
	 * @param step the strategy
	 * @param fault the fault
	 * @param nodes on how many nodes
	 * @return what to expect, and why if that is not plain
	 */
	public static Cell of(Step step, Fault fault, int nodes) {
		if (fault == Fault.KILL_HOLDER && nodes == 1) {
			return new Cell(fault.id(), Expectation.IMPOSSIBLE, "one-node");
		}
		if (step.id().equals("synchronized") && nodes == 1) {
			return new Cell(fault.id(), Expectation.HOLDS, null);
		}
		return of(step, fault);
	}

	/**
	 * Says what a run on several nodes leads to.
	 * @param step the strategy
	 * @param fault the fault
	 * @return what to expect, and why if that is not plain
	 */
	public static Cell of(Step step, Fault fault) {
		String reason = impossible(step, fault);
		if (reason != null) {
			return new Cell(fault.id(), Expectation.IMPOSSIBLE, reason);
		}
		String row = ROWS.get(step.id());
		if (row == null) {
			throw new IllegalStateException("There is no row of '" + step.id() + "'");
		}
		Expectation expected = switch (row.charAt(fault.ordinal())) {
			case 'h' -> Expectation.HOLDS;
			case 'b' -> Expectation.BREAKS;
			case 's' -> Expectation.STICKS;
			case 'u' -> Expectation.UNCERTAIN;
			case 'c' -> Expectation.CHANCE;
			default -> throw new IllegalStateException("'" + step.id() + "' has no cell for " + fault.id());
		};
		return new Cell(fault.id(), expected, switch (expected) {
			case UNCERTAIN -> "one-step";
			case CHANCE -> (fault == Fault.FAILOVER) ? "replica-behind" : "needs-luck";
			default -> null;
		});
	}

	/** Lists what to expect of a strategy, one cell a fault. */
	static List<Cell> of(Step step) {
		return Arrays.stream(Fault.values()).map((fault) -> of(step, fault)).toList();
	}

	private static @Nullable String impossible(Step step, Fault fault) {
		Set<Server> needs = Set.copyOf(step.needs());
		if (fault.hitsRedis() && !needs.contains(Server.REDIS) && !needs.contains(Server.REDLOCK)) {
			return "no-redis";
		}
		if (fault == Fault.FAILOVER && needs.contains(Server.REDLOCK)) {
			return "no-replica";
		}
		if (step.id().equals("setnx-twice") && fault != Fault.NONE) {
			return "never-inside";
		}
		return null;
	}

	/**
	 * What to expect of a strategy with a fault.
	 *
	 * @param fault name of the fault
	 * @param expected what it leads to
	 * @param reason name of a text that says why, or {@code null}
	 */
	public record Cell(String fault, Expectation expected, @Nullable String reason) {
	}

}
