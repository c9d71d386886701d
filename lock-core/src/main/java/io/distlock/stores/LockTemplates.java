package io.distlock.stores;

import java.util.Map;

import io.distlock.LockTemplate;

/**
 * The lock templates of an application that keeps its locks in several stores, one for
 * each store. The {@link LockTemplate} of the application finds the store of a lock by
 * its name. Prefer that template to a choice in code, because a lock must be in the same
 * store wherever it is acquired.
 */
public interface LockTemplates {

	/** The id of the store of all locks for which no other store is configured. */
	String DEFAULT = "default";

	/**
	 * Returns the template of a store. All locks that it acquires are in this store,
	 * whatever is configured for their names.
	 * @param id the id of the store, {@link #DEFAULT} for the store of all other locks
	 * @return the template, always the same
	 * @throws IllegalArgumentException if there is no such store; the message names the
	 * existing stores
	 */
	LockTemplate of(String id);

	/**
	 * Names the stores and their places for people, without asking them and without
	 * secrets.
	 * @return the places by id, for instance {@code Redis at redis-1:6379}
	 */
	Map<String, String> places();

}
