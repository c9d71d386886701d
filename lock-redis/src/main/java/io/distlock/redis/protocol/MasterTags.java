package io.distlock.redis.protocol;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Finds the hash tag that puts a key on the master of another key. In a Cluster, a script
 * reaches only keys of one master.
 */
public interface MasterTags {

	/** Serves one server, which has all keys and needs no tag. */
	MasterTags NONE = (redisKey) -> CompletableFuture.completedFuture("");

	/**
	 * Returns the hash tag; does not block.
	 * @param redisKey the key of a lock
	 * @return a stage that completes with the same tag for all keys of a master, or with
	 * an empty text if there is only one master; it fails if the master is unknown
	 */
	CompletionStage<String> of(String redisKey);

	/**
	 * Returns the hash tags of all masters; does not block.
	 * @return a stage that completes with a tag for each master, always in the same
	 * order, or with an empty text if there is only one master
	 */
	default CompletionStage<List<String>> all() {
		return CompletableFuture.completedFuture(List.of(""));
	}

}
