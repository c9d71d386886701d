package io.distlock.lab.run;

import java.time.Instant;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * A run as readers see it.
 *
 * @param id name of the run
 * @param request what was asked for
 * @param state {@code starting}, {@code running}, {@code ended}, {@code stopped} or
 * {@code failed}
 * @param startedAt when
 * @param verdict what came of it, {@code null} as long as it goes on
 * @param last the latest progress, {@code null} before the first
 * @param problem why it failed, {@code null} if it did not
 * @param progress all progress, {@code null} in lists
 * @param sections all sections, {@code null} in lists
 * @param faults all faults, {@code null} in lists
 * @param nodes what happened to nodes, {@code null} in lists
 * @param story what explains the run, {@code null} in lists
 * @param overlaps when too many were inside, {@code null} in lists
 * @param keys the key of the lock as it changed, {@code null} in lists
 * @param scripts the first calls of each script, {@code null} in lists
 */
public record RunView(String id, RunRequest request, String state, Instant startedAt, @Nullable Verdict verdict,
		@Nullable Progress last, @Nullable String problem, @Nullable List<Progress> progress,
		@Nullable List<Section> sections, @Nullable List<FaultNote> faults, @Nullable List<NodeNote> nodes,
		@Nullable List<StoryNote> story, @Nullable List<Overlap> overlaps, @Nullable List<KeySample> keys,
		@Nullable List<ScriptCall> scripts) {
}
