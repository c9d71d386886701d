package io.distlock.redis.protocol;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Says by which hash tag a key gets to the master that serves another key: in a Cluster a
 * script reaches only keys of its own master.
 */
public interface MasterTags {

	/** One server has all keys, so no tag is necessary. */
	MasterTags NONE = (redisKey) -> CompletableFuture.completedFuture("");

	/**
	 * Returns the hash tag; does not block.
	 * @param redisKey the key of a lock
	 * @return completes with the same tag for all keys of a master, or with an empty text
	 * if there is only one; fails if the master is not known
	 */
	CompletionStage<String> of(String redisKey);

	/**
	 * Returns the hash tags of all masters; does not block.
	 * @return completes with a tag for each master, always in the same order, or with an
	 * empty text if there is only one
	 */
	default CompletionStage<List<String>> all() {
		return CompletableFuture.completedFuture(List.of(""));
	}

}
