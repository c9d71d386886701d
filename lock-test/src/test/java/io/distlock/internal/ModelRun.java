package io.distlock.internal;

import java.util.stream.Stream;

/** Tries a plan by its name, for those who cannot name the classes of the model. */
final class ModelRun {

	void exhaust(String name) {
		ModelPlan plan = Stream.concat(ModelPlans.small(), ModelPlans.more())
			.filter((candidate) -> candidate.name().equals(name))
			.findFirst()
			.orElseThrow();
		new ModelExplorer(plan).exhaust();
	}

}
