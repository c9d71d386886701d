package io.distlock.redis.client;

import io.distlock.redis.protocol.MasterTags;
import io.distlock.redis.protocol.RedisCommands;

/**
 * Holds the connections of one started store: for commands to the server, and for its
 * messages.
 */
public interface RedisClient {

	/**
	 * Returns the commands, which run scripts.
	 * @return the commands
	 */
	RedisCommands commands();

	/**
	 * Returns the tags, which show which keys are on the same master.
	 * @return by default the tags for a single master
	 */
	default MasterTags tags() {
		return MasterTags.NONE;
	}

	/** Subscribes to messages if necessary; cheap enough for every command. */
	void ensureSubscribed();

	/** Closes commands and messages; may wait briefly until connections are closed. */
	void close();

}
