package io.distlock.benchmark.report;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import io.distlock.benchmark.measure.Metric;
import io.distlock.benchmark.peer.Implementation;
import io.distlock.benchmark.report.Target.Reference;

/** What was set out to be reached, before it was measured. */
final class Targets {

	private static final String CONFIRMED = Implementation.OURS_CONFIRMED.label();

	private static final String SENT = Implementation.OURS_SENT.label();

	private static final String REDISSON = Implementation.REDISSON.label();

	private static final String SPRING = Implementation.SPRING_INTEGRATION.label();

	private static final String LOCAL = Implementation.REENTRANT_LOCK.label();

	private static final String FLOOR = Implementation.FLOOR.label();

	/** Where rates are worth a comparison even if nothing was aimed at. */
	private static final Pattern RATED = Pattern.compile("[ABCH]\\d.*");

	private static final List<Target> ALL = build();

	private Targets() {
	}

	/** The targets of a scenario, and rates compared with the others for information. */
	static List<Target> of(String scenario) {
		List<Target> found = new ArrayList<>(
				ALL.stream().filter((target) -> target.scenario().equals(scenario)).toList());
		if (RATED.matcher(scenario).matches()) {
			addRates(scenario, found);
		}
		return found;
	}

	private static void addRates(String scenario, List<Target> found) {
		for (String ours : List.of(CONFIRMED, SENT)) {
			for (String other : List.of(FLOOR, REDISSON, SPRING, LOCAL)) {
				boolean known = found.stream()
					.anyMatch((target) -> target.ours().equals(ours) && target.metric() == Metric.RATE
							&& target.reference().equals(new Reference.Times(scenario, other)));
				if (!known) {
					found.add(times(scenario, ours, Metric.RATE, other, true, Double.NaN));
				}
			}
		}
	}

	private static List<Target> build() {
		List<Target> all = new ArrayList<>();
		uncontended(all);
		for (String ours : List.of(CONFIRMED, SENT)) {
			oneProcess(all, ours);
			manyProcesses(all, ours);
			others(all, ours);
		}
		all.add(new Target("G", "lockedByExpression", Metric.NANOS, new Reference.Above("G", "emptyAdvice"), false,
				2000));
		all.add(new Target("G", "lockedByExpression", Metric.NANOS, new Reference.Above("G", "lockedByName"), false,
				Double.NaN));
		return List.copyOf(all);
	}

	private static void uncontended(List<Target> all) {
		all.addAll(rates("A1", CONFIRMED, 0.9, 1.35, 1.15));
		all.add(times("A1", CONFIRMED, Metric.CLIENT_CPU, REDISSON, false, 0.5));
		all.addAll(rates("A1", SENT, 1.4, 2, 1.7));
		all.addAll(rates("A8", SENT, 1.3, 4.5, 1.8));
		all.addAll(rates("A64", SENT, 1.3, 4.5, 1.8));
	}

	private static List<Target> rates(String scenario, String ours, double floor, double redisson, double spring) {
		return List.of(times(scenario, ours, Metric.RATE, FLOOR, true, floor),
				times(scenario, ours, Metric.RATE, REDISSON, true, redisson),
				times(scenario, ours, Metric.RATE, SPRING, true, spring));
	}

	private static void oneProcess(List<Target> all, String ours) {
		for (String scenario : List.of("B8", "B64")) {
			boolean few = scenario.equals("B8");
			all.add(times(scenario, ours, Metric.RATE, REDISSON, true, few ? 30 : 50));
			all.add(times(scenario, ours, Metric.RATE, SPRING, true, few ? 20 : 25));
			all.add(times(scenario, ours, Metric.RATE, LOCAL, true, 0.9));
			// A look at the store once a second is what is left of "none".
			all.add(value(scenario, ours, Metric.COMMANDS, false, 0.005));
			all.add(value(scenario, ours, Metric.THREAD_FAIRNESS, true, 0.95));
		}
		all.add(times("B64-virtual", ours, Metric.RATE, REDISSON, true, 500));
		all.add(times("B64-virtual", ours, Metric.RATE, SPRING, true, 200));
		all.add(value("B64-virtual", ours, Metric.PINNED, false, 0));
		slow(all, "B8-1ms", ours, 1.3, 1.25);
		slow(all, "B64-1ms", ours, 1.3, 1.25);
	}

	private static void slow(List<Target> all, String scenario, String ours, double redisson, double spring) {
		all.add(times(scenario, ours, Metric.RATE, REDISSON, true, redisson));
		all.add(times(scenario, ours, Metric.RATE, SPRING, true, spring));
		all.add(times(scenario, ours, Metric.WAIT_MAX, REDISSON, false, 0.2));
		all.add(times(scenario, ours, Metric.WAIT_MAX, SPRING, false, 0.2));
		all.add(value(scenario, ours, Metric.THREAD_FAIRNESS, true, 0.9));
	}

	private static void manyProcesses(List<Target> all, String ours) {
		all.add(times("C4x2", ours, Metric.RATE, REDISSON, true, 30));
		all.add(times("C4x2", ours, Metric.RATE, SPRING, true, 10));
		all.add(times("C4x2", ours, Metric.HAND_OVER_P50, REDISSON, false, 0.2));
		all.add(value("C4x2", ours, Metric.WIRE, false, 0.6));
		all.add(value("C4x2", ours, Metric.JVM_FAIRNESS, true, 0.6));
		all.add(times("C2x16", ours, Metric.RATE, REDISSON, true, 40));
		all.add(times("C2x16", ours, Metric.RATE, SPRING, true, 18));
		all.add(times("C2x16", ours, Metric.HAND_OVER_P50, REDISSON, false, 0.35));
		all.add(value("C2x16", ours, Metric.WIRE, false, 0.06));
		all.add(value("C2x16", ours, Metric.JVM_FAIRNESS, true, 0.95));
		slow(all, "C4x2-1ms", ours, 1.6, 1.4);
		slow(all, "C2x16-1ms", ours, 1.6, 1.4);
	}

	private static void others(List<Target> all, String ours) {
		Stream.of("D1000", "D1000-virtual").forEach((scenario) -> {
			boolean virtual = scenario.endsWith("virtual");
			all.add(times(scenario, ours, Metric.DRAIN, REDISSON, false, 1.0 / (virtual ? 200 : 12)));
			all.add(times(scenario, ours, Metric.DRAIN, SPRING, false, 1.0 / (virtual ? 150 : 10)));
			all.add(value(scenario, ours, Metric.OUT_OF_ORDER, false, 0));
		});
		all.add(value("E", ours, Metric.LOCK_WIRE, false, 0.11));
		all.add(value("E", ours, Metric.NEW_THREADS, false, 1));
		all.add(value("E", ours, Metric.STARTED_THREADS, false, 0));
		all.add(value("E", ours, Metric.HEAP_GROWTH, false, 1));
		all.add(value("E", ours, Metric.LOST, false, 0));
		all.add(value("F", ours, Metric.COMMANDS, false, 0));
		all.add(times("S-pair", ours, Metric.SCRIPT_CPU, REDISSON, false, 1.5));
		all.add(new Target("S-20", ours, Metric.SCRIPT_CPU, new Reference.Times("S-pair", ours), false, 2));
	}

	private static Target times(String scenario, String ours, Metric metric, String other, boolean atLeast,
			double limit) {
		return new Target(scenario, ours, metric, new Reference.Times(scenario, other), atLeast, limit);
	}

	private static Target value(String scenario, String ours, Metric metric, boolean atLeast, double limit) {
		return new Target(scenario, ours, metric, new Reference.Itself(), atLeast, limit);
	}

}
