package io.distlock.lab.run;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

import io.distlock.lab.strategy.Staircase;
import io.distlock.lab.strategy.Step;

/**
 * A run that a user of the lab asks for.
 *
 * @param strategy name of the strategy
 * @param fault name of the fault
 * @param nodes how many processes sell
 * @param callers how many customers come at the same time, to all nodes together
 * @param items how many items there are
 * @param insideMillis how long a customer works between reading and writing
 */
public record RunRequest(String strategy, String fault, int nodes, int callers, int items, int insideMillis) {

	/**
	 * Says what is not possible.
	 * @return empty if the run can begin
	 */
	public List<Problem> problems() {
		List<Problem> problems = new ArrayList<>();
		Optional<Step> step = Staircase.find(this.strategy);
		if (step.isEmpty()) {
			problems.add(new Problem("strategy",
					"There is no strategy '" + this.strategy + "', but "
							+ Staircase.steps().stream().map(Step::id).collect(Collectors.joining(", ")),
					"unknown-strategy", Map.of()));
		}
		Optional<Fault> found = Fault.find(this.fault);
		if (found.isEmpty()) {
			problems.add(new Problem("fault",
					"There is no fault '" + this.fault + "', but "
							+ List.of(Fault.values()).stream().map(Fault::id).collect(Collectors.joining(", ")),
					"unknown-fault", Map.of()));
		}
		Limits limits = Limits.ALL;
		limits.nodes().check("nodes", this.nodes, problems);
		limits.callers().check("callers", this.callers, problems);
		limits.items().check("items", this.items, problems);
		limits.insideMillis().check("insideMillis", this.insideMillis, problems);
		if (step.isPresent() && found.isPresent()) {
			check(step.get(), found.get(), problems);
		}
		return problems;
	}

	private void check(Step step, Fault fault, List<Problem> problems) {
		Expectations.Cell cell = Expectations.of(step, fault, this.nodes);
		if (cell.expected() == Expectation.IMPOSSIBLE) {
			String reason = String.valueOf(cell.reason());
			problems.add(new Problem(reason.equals("one-node") ? "nodes" : "fault", switch (reason) {
				case "no-redis" -> "'" + step.id() + "' keeps nothing in Redis";
				case "no-replica" -> "The nodes of a quorum have no replicas";
				case "never-inside" -> "'" + step.id() + "' lets nobody in whom a fault could hit";
				default -> "With one node nobody is left after kill-holder, choose at least 2";
			}, reason, Map.of()));
		}
	}

	/**
	 * Something in a request that is not possible.
	 *
	 * @param field the part of the request
	 * @param message what is wrong with it
	 * @param reason name of a text that says why
	 * @param values what the text has to name
	 */
	public record Problem(String field, String message, String reason, Map<String, Integer> values) {
	}

}
