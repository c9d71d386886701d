package io.distlock.internal;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** The plans that are tried. */
final class ModelPlans {

	private static final ModelPlan.Caller P = new ModelPlan.Caller(ModelPlan.PATIENT, false);

	private static final ModelPlan.Caller S = new ModelPlan.Caller(ModelPlan.SHORT, false);

	private static final ModelPlan.Caller N = new ModelPlan.Caller(ModelPlan.NOT_AT_ALL, false);

	private static final ModelPlan.Caller AP = new ModelPlan.Caller(ModelPlan.PATIENT, true);

	private static final ModelPlan.Caller AS = new ModelPlan.Caller(ModelPlan.SHORT, true);

	private static final ModelPlan.Caller RP = P.reading();

	private static final ModelPlan.Caller RS = S.reading();

	private static final ModelPlan.Caller RN = N.reading();

	private static final ModelPlan.Caller RAP = AP.reading();

	/** The lease, of 3 s, is enough for it. */
	private static final ModelPlan.Caller K = P.keeping(Duration.ofSeconds(2));

	/** The store has to be told. */
	private static final ModelPlan.Caller KK = P.keeping(Duration.ofSeconds(5));

	/** Longer than the lease of 3 s. */
	private static final Duration LONGER = Duration.ofSeconds(4);

	/** Reads on. */
	private static final ModelPlan.Caller WP = P.readingOn();

	/** Execute themselves what they wait for. */
	private static final ModelPlan.Caller DP = P.itself();

	private static final ModelPlan.Caller DS = S.itself();

	private static final ModelPlan.Caller DN = N.itself();

	/** Those of the small ones that have three quarters of all states. */
	private static final Set<String> LARGE = Set.of("one extends", "two impatient processes", "writer that reads on",
			"async extends before another", "itself: one caller", "three callers", "kept, then another",
			"forced: held here, wanted there", "reader and short writer", "reader and patient writer",
			"reader and writer here, reader there", "reader and writer here, writer there",
			"two readers here, writer there");

	private ModelPlans() {
	}

	/** Whether the usual build leaves a plan to the full proof. */
	static boolean isLarge(ModelPlan plan) {
		return LARGE.contains(plan.name());
	}

	/** Small enough to be tried in full. */
	static Stream<ModelPlan> small() {
		return Stream.concat(alone(), readers());
	}

	/** Those of the small ones with holders that are alone, if only at first. */
	static Stream<ModelPlan> alone() {
		return Stream.of(new ModelPlan("one caller", List.of(List.of(P)), 1, 2),
				new ModelPlan("one short caller", List.of(List.of(S)), 1, 2),
				new ModelPlan("one impatient caller", List.of(List.of(N)), 1, 2),
				new ModelPlan("thread and async", List.of(List.of(P, AS)), 1, 1),
				new ModelPlan("async and thread", List.of(List.of(AP, S)), 1, 1),
				new ModelPlan("impatient after patient", List.of(List.of(P, N)), 1, 1),
				new ModelPlan("twice", List.of(List.of(AP)), 2, 1),
				new ModelPlan("two short asyncs", List.of(List.of(AS, AS)), 1, 1),
				new ModelPlan("three callers", List.of(List.of(P, AP, S)), 1, 1),
				new ModelPlan("three callers, two tokens", List.of(List.of(P, AP, AP)), 1, 0, 2),
				new ModelPlan("two processes", List.of(List.of(P), List.of(AP)), 1, 0),
				new ModelPlan("two impatient processes", List.of(List.of(N), List.of(N)), 1, 1),
				new ModelPlan("two and one", List.of(List.of(P, AP), List.of(P)), 1, 0),
				new ModelPlan("writer that reads on", List.of(List.of(WP)), 1, 2),
				new ModelPlan("writer that reads on, reader", List.of(List.of(WP, RAP)), 1, 1),
				new ModelPlan("writer that reads on here, reader there", List.of(List.of(WP), List.of(RAP)), 1, 0),
				new ModelPlan("writer that reads on, writer", List.of(List.of(WP, AP)), 1, 0),
				new ModelPlan("writer behind a reader, reads on, writer", List.of(List.of(RP, WP, AP)), 1, 0),
				new ModelPlan("writer that extends and reads on, reader", List.of(List.of(WP.extending(LONGER), RAP)),
						1, 0),
				new ModelPlan("kept, then another", List.of(List.of(K, AP)), 1, 1),
				new ModelPlan("kept for longer than the lease", List.of(List.of(KK, AS)), 1, 1),
				new ModelPlan("kept here, wanted there", List.of(List.of(KK), List.of(AP)), 1, 0),
				new ModelPlan("one extends", List.of(List.of(P.extending(LONGER))), 1, 2),
				new ModelPlan("async extends before another", List.of(List.of(AP.extending(LONGER), AP)), 1, 1),
				new ModelPlan("reader extends", List.of(List.of(RP.extending(LONGER), RAP)), 1, 0),
				new ModelPlan("extends here, wanted there", List.of(List.of(P.extending(LONGER)), List.of(N)), 1, 0),
				new ModelPlan("itself: one caller", List.of(List.of(DP)), 1, 2),
				new ModelPlan("itself: one short caller", List.of(List.of(DS)), 1, 1),
				new ModelPlan("itself: one impatient caller", List.of(List.of(DN)), 1, 1),
				new ModelPlan("itself: twice", List.of(List.of(DP)), 2, 1),
				new ModelPlan("itself: two callers", List.of(List.of(DP, DS)), 1, 1),
				new ModelPlan("itself: and async", List.of(List.of(DP, AS)), 1, 0),
				new ModelPlan("itself: two processes", List.of(List.of(DP), List.of(DP)), 1, 0),
				new ModelPlan("itself: reader and writer", List.of(List.of(RP.itself(), DS)), 1, 0),
				new ModelPlan("itself: kept, then another", List.of(List.of(K.itself(), AP)), 1, 0),
				new ModelPlan("itself: forced", List.of(List.of(DP)), 1, 0).withForce(),
				new ModelPlan("one permit for two", List.of(List.of(P.permit(1), AP.permit(1))), 1, 1),
				new ModelPlan("one permit, one impatient", List.of(List.of(P.permit(1), N.permit(1))), 1, 1),
				new ModelPlan("two permits for three", List.of(List.of(P.permit(2), AP.permit(2), AP.permit(2))), 1, 0),
				new ModelPlan("one permit, two processes", List.of(List.of(P.permit(1)), List.of(AP.permit(1))), 1, 0),
				new ModelPlan("forced: one caller", List.of(List.of(P)), 1, 1).withForce(),
				new ModelPlan("forced: two callers", List.of(List.of(P, AP)), 1, 0).withForce(),
				new ModelPlan("forced: held here, wanted there", List.of(List.of(P), List.of(AP)), 1, 0).withForce(),
				new ModelPlan("forced: two readers", List.of(List.of(RP, RAP)), 1, 0).withForce(),
				new ModelPlan("forced: writer that reads on", List.of(List.of(WP)), 1, 0).withForce(),
				new ModelPlan("forced: kept", List.of(List.of(K, AP)), 1, 0).withForce(),
				new ModelPlan("forced: kept for longer", List.of(List.of(KK)), 1, 0).withForce(),
				new ModelPlan("forced: extends", List.of(List.of(P.extending(LONGER))), 1, 0).withForce(),
				new ModelPlan("forced: one permit for two", List.of(List.of(P.permit(1), AP.permit(1))), 1, 0)
					.withForce(),
				new ModelPlan("fewer and more permits", List.of(List.of(P.permit(1), AS.permit(1), AP.permit(2))), 1,
						0));
	}

	/** Those of the small ones with readers from the beginning. */
	static Stream<ModelPlan> readers() {
		return Stream.of(new ModelPlan("two readers", List.of(List.of(RP, RAP)), 1, 1),
				new ModelPlan("reader and short writer", List.of(List.of(RP, S)), 1, 1),
				new ModelPlan("short writer and reader", List.of(List.of(S, RP)), 1, 1),
				new ModelPlan("impatient reader after reader", List.of(List.of(RP, RN)), 1, 1),
				new ModelPlan("reader, writer, reader", List.of(List.of(RP, AP, RAP)), 1, 0),
				new ModelPlan("reader and patient writer", List.of(List.of(RP, AP)), 1, 1),
				new ModelPlan("reader and writer here, reader there", List.of(List.of(RP, AP), List.of(RAP)), 1, 0),
				new ModelPlan("reader and writer here, writer there", List.of(List.of(RP, AP), List.of(P)), 1, 0),
				new ModelPlan("readers in two processes", List.of(List.of(RP), List.of(RAP)), 1, 0),
				new ModelPlan("reader here, writer there", List.of(List.of(RP), List.of(P)), 1, 0),
				new ModelPlan("two readers here, writer there", List.of(List.of(RP, RAP), List.of(P)), 1, 0));
	}

	/** More of the same, for longer runs. */
	static Stream<ModelPlan> more() {
		return Stream.of(new ModelPlan("one caller", List.of(List.of(P)), 1, 3),
				new ModelPlan("two processes, twice", List.of(List.of(P), List.of(AP)), 2, 0),
				new ModelPlan("two processes, one impatient", List.of(List.of(P), List.of(N)), 1, 1),
				new ModelPlan("two processes, one in a hurry", List.of(List.of(P), List.of(AS)), 1, 1),
				new ModelPlan("two callers", List.of(List.of(P, AS)), 1, 2),
				new ModelPlan("two processes", List.of(List.of(P), List.of(AP)), 1, 1),
				new ModelPlan("three callers, two tokens", List.of(List.of(P, AP, AP)), 1, 1, 2),
				new ModelPlan("two and two", List.of(List.of(P, AP), List.of(AP, P)), 1, 0),
				new ModelPlan("two and one", List.of(List.of(P, AP), List.of(P)), 1, 1),
				new ModelPlan("two readers", List.of(List.of(RP, RAP)), 1, 2),
				new ModelPlan("readers in two processes", List.of(List.of(RP), List.of(RAP)), 1, 1),
				new ModelPlan("reader, writer, reader", List.of(List.of(RP, AP, RAP)), 1, 1),
				new ModelPlan("two readers here, writer there", List.of(List.of(RP, RAP), List.of(P)), 1, 1),
				new ModelPlan("reader and short writer here, reader there", List.of(List.of(RP, AS), List.of(RAP)), 1,
						1),
				new ModelPlan("kept for longer than the lease", List.of(List.of(KK, AS)), 1, 2),
				new ModelPlan("kept here, wanted there", List.of(List.of(KK), List.of(AP)), 1, 1),
				new ModelPlan("two permits for three", List.of(List.of(P.permit(2), AP.permit(2), AP.permit(2))), 1, 1),
				new ModelPlan("forced: one caller", List.of(List.of(P)), 1, 2).withForce(),
				new ModelPlan("forced: reader and writer", List.of(List.of(RP, AP)), 1, 0).withForce(),
				new ModelPlan("forced: writer that reads on", List.of(List.of(WP)), 1, 1).withForce(),
				new ModelPlan("forced: two processes", List.of(List.of(P), List.of(AP)), 1, 1).withForce(),
				new ModelPlan("forced: two readers", List.of(List.of(RP, RAP)), 1, 1).withForce(),
				new ModelPlan("forced: kept", List.of(List.of(KK, AS)), 1, 1).withForce(),
				new ModelPlan("itself: one caller", List.of(List.of(DP)), 1, 3),
				new ModelPlan("itself: one short caller", List.of(List.of(DS)), 1, 2),
				new ModelPlan("itself: two callers", List.of(List.of(DP, DS)), 1, 2),
				new ModelPlan("itself: and async", List.of(List.of(DP, AS)), 1, 1),
				new ModelPlan("itself: two impatient processes", List.of(List.of(DN), List.of(DN)), 1, 1),
				new ModelPlan("itself: reader and writer", List.of(List.of(RP.itself(), DS)), 1, 1),
				new ModelPlan("itself: kept, then another", List.of(List.of(K.itself(), AP)), 1, 1),
				new ModelPlan("itself: extends", List.of(List.of(DP.extending(LONGER))), 1, 1),
				new ModelPlan("itself: forced", List.of(List.of(DP)), 1, 1).withForce(),
				new ModelPlan("two permits, two processes",
						List.of(List.of(P.permit(2), AP.permit(2)), List.of(P.permit(2))), 1, 0));
	}

	/** Too large to be tried in full: for walks by chance. */
	static Stream<ModelPlan> large() {
		return Stream.of(new ModelPlan("walks of two and two", List.of(List.of(P, AS), List.of(AP, S)), 2, 3),
				new ModelPlan("walks of three and two", List.of(List.of(P, AP, N), List.of(AP, S)), 2, 6),
				new ModelPlan("undisturbed walks of three and three", List.of(List.of(P, AP, P), List.of(AP, P, AP)), 3,
						0),
				new ModelPlan("walks of callers that execute themselves",
						List.of(List.of(DP, AS, DN), List.of(DS, RP.itself(), AP)), 2, 5),
				new ModelPlan("undisturbed walks of readers and writers",
						List.of(List.of(RP, AP, RAP), List.of(RAP, P, RP)), 3, 0),
				new ModelPlan("walks of writers that read on", List.of(List.of(WP, RAP, AP), List.of(WP, RP)), 2, 4),
				new ModelPlan("walks of readers and writers", List.of(List.of(RP, AP, RS, RN), List.of(RAP, S)), 2, 6),
				new ModelPlan("walks of minimum holds", List.of(List.of(KK, AP, N), List.of(K, AS)), 2, 4),
				new ModelPlan("walks of extensions",
						List.of(List.of(P.extending(LONGER), AP.extending(LONGER), RP.extending(LONGER)),
								List.of(KK.extending(LONGER), S)),
						2, 4),
				new ModelPlan("walks of permits",
						List.of(List.of(P.permit(2), AP.permit(2), S.permit(2), N.permit(2)),
								List.of(AP.permit(2), AS.permit(2))),
						2, 5),
				new ModelPlan("walks of forced releases", List.of(List.of(P, AS, N), List.of(AP, RP), List.of(KK, AP)),
						2, 4)
					.withForce(),
				new ModelPlan("walks of three processes", List.of(List.of(P, AS, N), List.of(AP, S), List.of(P, AP)), 2,
						10));
	}

}
