package io.distlock.internal;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * Tries all schedules of a plan, depth first. A schedule that leads to a state that was
 * seen before, with as many faults left, is not continued; one that returns to a state of
 * its own would never end. Objects cannot be copied, so going back means to begin anew
 * and to repeat.
 */
final class ModelExplorer {

	private static final int LONGEST = 1000;

	/** More than ten times what the largest plan of every build needs. */
	private static final long MOST_STEPS = EngineModelTests.LONG ? Long.MAX_VALUE : 1_000_000;

	private final ModelPlan plan;

	private final Map<Long, Integer> seen = new HashMap<>();

	/** The states of the schedule that is tried now. */
	private final Set<Long> schedule = new HashSet<>();

	private long steps;

	private long ends;

	ModelExplorer(ModelPlan plan) {
		this.plan = plan;
	}

	/** Tries all schedules. */
	void exhaust() {
		Deque<State> states = new ArrayDeque<>();
		Deque<Integer> path = new ArrayDeque<>();
		ModelWorld world = new ModelWorld(this.plan);
		world.watch();
		states.push(state(world));
		while (!states.isEmpty()) {
			State current = states.peek();
			if (!current.choices().hasNext()) {
				states.pop();
				if (current.isNew()) {
					this.schedule.remove(current.fingerprint());
				}
				path.pollLast();
				world = null;
				continue;
			}
			if (world == null) {
				world = replay(path);
			}
			int choice = current.choices().next();
			path.addLast(choice);
			take(world, choice);
			states.push(state(world));
		}
	}

	private State state(ModelWorld world) {
		long fingerprint = world.fingerprint();
		Integer before = this.seen.get(fingerprint);
		if (before != null && before >= world.faultsLeft()) {
			boolean again = before == world.faultsLeft() && this.schedule.contains(fingerprint);
			checked(world,
					() -> ModelViolation.unless(!again, "Every schedule ends", "The last state was there before"));
			return new State(fingerprint, false, List.<Integer>of().iterator());
		}
		this.seen.put(fingerprint, world.faultsLeft());
		this.schedule.add(fingerprint);
		return new State(fingerprint, true, choices(world));
	}

	private Iterator<Integer> choices(ModelWorld world) {
		List<ModelStep> next = world.steps();
		if (next.stream().allMatch((step) -> step.kind() == ModelStep.Kind.OPTIONAL)) {
			this.ends++;
			checked(world, world.rules()::checkEnd);
		}
		return IntStream.range(0, next.size()).iterator();
	}

	private ModelWorld replay(Iterable<Integer> path) {
		ModelWorld world = new ModelWorld(this.plan);
		for (int choice : path) {
			world.take(world.step(choice));
		}
		world.watch();
		return world;
	}

	private void take(ModelWorld world, int choice) {
		this.steps++;
		ModelStep step = world.step(choice);
		checked(world, () -> {
			ModelViolation.unless(this.steps < MOST_STEPS, "Every plan ends", step);
			world.take(step);
			ModelViolation.unless(world.length() < LONGEST, "Every schedule ends", step);
		});
	}

	/** Takes one schedule, by chance: disturbed at first, then to its end. */
	void walk(long seed, int length) {
		Random random = new Random(seed * 0x9E3779B97F4A7C15L);
		ModelWorld world = new ModelWorld(this.plan);
		world.watch();
		while (true) {
			List<ModelStep> next = world.steps();
			boolean over = world.length() >= length;
			List<ModelStep> kind = next.stream().filter((step) -> step.kind() == ModelStep.Kind.NORMAL).toList();
			if (!over && random.nextInt(8) == 0) {
				List<ModelStep> others = next.stream().filter((step) -> step.kind() != ModelStep.Kind.NORMAL).toList();
				kind = others.isEmpty() ? kind : others;
			}
			if (kind.isEmpty()) {
				break;
			}
			this.steps++;
			ModelStep step = kind.get(random.nextInt(kind.size()));
			checked(world, () -> {
				world.take(step);
				ModelViolation.unless(world.length() < LONGEST, "Every schedule ends", step);
			});
		}
		this.ends++;
		checked(world, world.rules()::checkEnd);
	}

	/** Adds the schedule to what is wrong. */
	private static void checked(ModelWorld world, Runnable action) {
		try {
			action.run();
		}
		catch (AssertionError | RuntimeException ex) {
			throw new ModelViolation(ex, world.report());
		}
	}

	/**
	 * A state of a schedule.
	 *
	 * @param fingerprint which one
	 * @param isNew whether it was not seen before
	 * @param choices how to go on that were not tried yet
	 */
	private record State(long fingerprint, boolean isNew, Iterator<Integer> choices) {
	}

	long states() {
		return this.seen.size();
	}

	long steps() {
		return this.steps;
	}

	long ends() {
		return this.ends;
	}

}
