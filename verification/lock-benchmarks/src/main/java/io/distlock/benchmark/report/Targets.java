package io.distlock.benchmark.report;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import io.distlock.benchmark.measure.Metric;
import io.distlock.benchmark.peer.Implementation;
import io.distlock.benchmark.report.Target.Limit;
import io.distlock.benchmark.report.Target.Reference;

/**
 * What should be reached: beside two bare scripts on the same client, beside a lock of
 * the JDK, beside others, or in numbers that speak for themselves.
 */
final class Targets {

	private static final String CONFIRMED = Implementation.OURS_CONFIRMED.label();

	private static final String SENT = Implementation.OURS_SENT.label();

	private static final String DIRECT = Implementation.OURS_DIRECT.label();

	private static final String REDISSON = Implementation.REDISSON.label();

	private static final String SPRING = Implementation.SPRING_INTEGRATION.label();

	private static final String SPRING_JEDIS = Implementation.SPRING_INTEGRATION_JEDIS.label();

	private static final String LOCAL = Implementation.REENTRANT_LOCK.label();

	private static final String FLOOR = Implementation.FLOOR.label();

	private static final String FLOOR_DIRECT = Implementation.FLOOR_DIRECT.label();

	private static final String NOTHING = "";

	/** Where rates are worth a comparison even if nothing was aimed at. */
	private static final Pattern RATED = Pattern.compile("[ABCH]\\d.*");

	private static final List<Target> ALL = build();

	private Targets() {
	}

	/** All targets; comparisons for information left out. */
	static List<Target> all() {
		return ALL;
	}

	/** The targets of a part, and rates compared with the others for information. */
	static List<Target> of(String part) {
		List<Target> found = new ArrayList<>(ALL.stream().filter((target) -> target.part().equals(part)).toList());
		if (RATED.matcher(part).matches()) {
			for (String ours : List.of(CONFIRMED, SENT, DIRECT)) {
				Stream.of(FLOOR, FLOOR_DIRECT, SPRING, SPRING_JEDIS, REDISSON, LOCAL)
					.filter((other) -> found.stream().noneMatch((target) -> compares(target, ours, other)))
					.map((other) -> times(part, ours, Metric.RATE, other, new Limit.None()))
					.toList()
					.forEach(found::add);
			}
		}
		return found;
	}

	private static boolean compares(Target target, String ours, String other) {
		return target.ours().equals(ours) && target.metric() == Metric.RATE
				&& target.reference() instanceof Reference.Times times && times.implementation().equals(other);
	}

	private static List<Target> build() {
		List<Target> all = new ArrayList<>();
		uncontended(all);
		paced(all);
		for (String ours : List.of(CONFIRMED, SENT, DIRECT)) {
			oneProcess(all, ours);
			manyProcesses(all, ours);
			others(all, ours);
		}
		all.add(above("G", "lockedByExpression", Metric.NANOS, "emptyAdvice", 2000));
		coldStart(all);
		return List.copyOf(all);
	}

	/**
	 * A first lock beside a first command, an application beside the same one without
	 * locks.
	 */
	private static void coldStart(List<Target> all) {
		all.add(above("K-first", CONFIRMED, Metric.FIRST_PAIR, FLOOR, 50));
		all.add(above("K-first", DIRECT, Metric.FIRST_PAIR, FLOOR_DIRECT, 50));
		all.add(above("K-start", "starter", Metric.START_CPU, "Spring Boot, first command", 500));
		all.add(above("K-start", "starter, 500 locks", Metric.START_CPU, "Spring Boot, 500 proxies", 1500));
	}

	private static Target above(String part, String ours, Metric metric, String other, double most) {
		return new Target(part, ours, metric, new Reference.Above(part, other), new Limit.AtMost(most), NOTHING);
	}

	private static void uncontended(List<Target> all) {
		all.addAll(rates("A1", CONFIRMED, 0.92, 1.05, 1.3));
		all.addAll(rates("A8", CONFIRMED, 0.85, 1.1, 2.2));
		all.addAll(rates("A64", CONFIRMED, 0.85, 1.2, 2.5));
		all.addAll(rates("A1", DIRECT, 1.35, 1.5, 2));
		all.add(times("A1", DIRECT, Metric.RATE, FLOOR_DIRECT, new Limit.AtLeast(0.8)));
		all.addAll(rates("A8", DIRECT, 1.1, 1.3, 2.8));
		all.addAll(rates("A64", DIRECT, 1, 1.4, 3));
		// One round trip of two is not waited for.
		all.add(times("A1", SENT, Metric.RATE, FLOOR, new Limit.AtLeast(1.4)));
		all.add(times("A8", SENT, Metric.RATE, FLOOR, new Limit.AtLeast(1.3)));
		all.add(times("A64", SENT, Metric.RATE, FLOOR, new Limit.AtLeast(1.3)));
	}

	private static List<Target> rates(String part, String ours, double floor, double spring, double redisson) {
		return List.of(times(part, ours, Metric.RATE, FLOOR, new Limit.AtLeast(floor)),
				times(part, ours, Metric.RATE, SPRING, new Limit.AtLeast(spring)),
				times(part, ours, Metric.RATE, REDISSON, new Limit.AtLeast(redisson)));
	}

	private static void paced(List<Target> all) {
		for (String part : List.of("P1", "P8")) {
			all.add(times(part, CONFIRMED, Metric.WAIT_P50, FLOOR, new Limit.AtMost(1.1)));
			all.add(times(part, CONFIRMED, Metric.RELEASE_P50, FLOOR, new Limit.AtMost(1.1)));
			all.add(times(part, DIRECT, Metric.WAIT_P50, FLOOR, new Limit.AtMost(0.9)));
			all.add(times(part, DIRECT, Metric.RELEASE_P50, FLOOR, new Limit.AtMost(0.9)));
			for (String ours : List.of(CONFIRMED, DIRECT)) {
				all.add(times(part, ours, Metric.WAIT_P50, SPRING, new Limit.AtMost(1)));
				all.add(times(part, ours, Metric.WAIT_P50, REDISSON, new Limit.AtMost(1)));
			}
			all.add(times(part, DIRECT, Metric.WAIT_P50, SPRING_JEDIS, new Limit.None()));
			all.add(times(part, DIRECT, Metric.RELEASE_P50, SPRING_JEDIS, new Limit.None()));
		}
	}

	private static void oneProcess(List<Target> all, String ours) {
		for (String part : List.of("B8", "B64")) {
			all.add(times(part, ours, Metric.RATE, LOCAL, new Limit.AtLeast(0.9)));
			// A look at the store once a second is what is left of "none".
			all.add(value(part, ours, Metric.COMMANDS, new Limit.AtMost(0.005)));
			all.add(value(part, ours, Metric.THREAD_FAIRNESS, new Limit.AtLeast(0.95)));
		}
		for (String part : List.of("B8-1ms", "B64-1ms")) {
			all.add(times(part, ours, Metric.RATE, LOCAL, new Limit.AtLeast(0.95)));
			inTurn(all, part, ours);
		}
		all.add(value("B64-virtual", ours, Metric.PINNED, new Limit.AtMost(0)));
	}

	private static void inTurn(List<Target> all, String part, String ours) {
		all.add(times(part, ours, Metric.WAIT_MAX, REDISSON, new Limit.AtMost(0.2)));
		all.add(times(part, ours, Metric.WAIT_MAX, SPRING, new Limit.AtMost(0.2)));
		all.add(value(part, ours, Metric.THREAD_FAIRNESS, new Limit.AtLeast(0.9)));
	}

	private static void manyProcesses(List<Target> all, String ours) {
		all.add(value("C4x2", ours, Metric.WIRE, new Limit.AtMost(0.6)));
		all.add(value("C4x2", ours, Metric.JVM_FAIRNESS, new Limit.AtLeast(0.6)));
		all.add(value("C2x16", ours, Metric.WIRE, new Limit.AtMost(0.06)));
		all.add(value("C2x16", ours, Metric.JVM_FAIRNESS, new Limit.AtLeast(0.95)));
		for (String part : List.of("C4x2", "C2x16")) {
			all.add(times(part, ours, Metric.HAND_OVER_P50, REDISSON, new Limit.None()));
			all.add(times(part, ours, Metric.HAND_OVER_P99, REDISSON, new Limit.None()));
		}
		inTurn(all, "C4x2-1ms", ours);
		inTurn(all, "C2x16-1ms", ours);
	}

	private static void others(List<Target> all, String ours) {
		for (String part : List.of("D1000", "D1000-virtual")) {
			all.add(value(part, ours, Metric.OUT_OF_ORDER, new Limit.AtMost(0)));
			all.add(times(part, ours, Metric.DRAIN, LOCAL,
					part.endsWith("virtual") ? new Limit.None() : new Limit.AtMost(2)));
			all.add(times(part, ours, Metric.DRAIN, REDISSON, new Limit.None()));
			all.add(times(part, ours, Metric.DRAIN, SPRING, new Limit.None()));
		}
		all.add(value("E", ours, Metric.LOCK_WIRE, new Limit.AtMost(0.11)));
		all.add(value("E", ours, Metric.NEW_THREADS, new Limit.AtMost(1)));
		all.add(value("E", ours, Metric.STARTED_THREADS, new Limit.AtMost(0)));
		all.add(value("E", ours, Metric.HEAP_GROWTH, new Limit.AtMost(1)));
		all.add(value("E", ours, Metric.LOST, new Limit.AtMost(0)));
		all.add(value("F", ours, Metric.COMMANDS, new Limit.AtMost(0)));
		all.add(times("S-pair", ours, Metric.SCRIPT_CPU, ours.equals(DIRECT) ? FLOOR_DIRECT : FLOOR,
				new Limit.AtMost(1.6)));
		all.add(new Target("S-20", ours, Metric.SCRIPT_CPU, new Reference.Times("S-pair", ours), new Limit.AtMost(2),
				NOTHING));
	}

	private static Target times(String part, String ours, Metric metric, String other, Limit limit) {
		return new Target(part, ours, metric, new Reference.Times(part, other), limit, possible(part, ours));
	}

	private static Target value(String part, String ours, Metric metric, Limit limit) {
		return new Target(part, ours, metric, new Reference.Itself(), limit, NOTHING);
	}

	/**
	 * Where nobody waits, two awaited round trips on the same client are the least. A
	 * lock that is passed on within a process can be as fast as one of the JDK.
	 */
	private static String possible(String part, String ours) {
		if (part.startsWith("B") || part.startsWith("D")) {
			return LOCAL;
		}
		if (part.startsWith("A") || part.startsWith("P")) {
			return ours.equals(DIRECT) ? FLOOR_DIRECT : ours.equals(CONFIRMED) ? FLOOR : NOTHING;
		}
		return NOTHING;
	}

}
