package io.distlock.redis.client;

import io.distlock.redis.protocol.MasterTags;
import io.distlock.redis.protocol.RedisCommands;

/** The connections of one started store: commands to the server, messages from it. */
public interface RedisClient {

	/**
	 * Returns what runs scripts.
	 * @return the commands
	 */
	RedisCommands commands();

	/**
	 * Returns what says which keys are on the same master.
	 * @return by default that there is only one
	 */
	default MasterTags tags() {
		return MasterTags.NONE;
	}

	/** Subscribes to messages if necessary; cheap enough for every command. */
	void ensureSubscribed();

	/** Closes both; may wait for a moment until connections are closed. */
	void close();

}
