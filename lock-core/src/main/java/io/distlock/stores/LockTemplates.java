package io.distlock.stores;

import java.util.Map;

import io.distlock.LockTemplate;

/**
 * The lock templates of an application that keeps its locks in several stores, one for
 * each store. A {@link LockTemplate} without a choice knows by the name of a lock in
 * which store it is; prefer it to a choice in code, because a lock must be in the same
 * store wherever it is acquired.
 */
public interface LockTemplates {

	/** The id of the store of all locks for which no other one is configured. */
	String DEFAULT = "default";

	/**
	 * Returns the template of a store. All locks that it acquires are in this store,
	 * whatever is configured for their names.
	 * @param id the id of the store, {@link #DEFAULT} for that of all other locks
	 * @return the template, always the same
	 * @throws IllegalArgumentException if there is no such store; names those that there
	 * are
	 */
	LockTemplate of(String id);

	/**
	 * Names the stores and their places for people, without asking them and without
	 * secrets.
	 * @return by id, for instance {@code Redis at redis-1:6379}
	 */
	Map<String, String> places();

}
