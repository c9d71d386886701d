package io.distlock.lab.run;

import io.distlock.lab.event.LabEvent;
import org.jspecify.annotations.Nullable;

/**
 * Something that happened in a node, or to it: either an event or a change.
 *
 * @param node number of the node, from 1; 0 for a server
 * @param micros when
 * @param event what the node wrote down, or {@code null}
 * @param change what was done to it, or {@code null}
 */
record Moment(int node, long micros, @Nullable LabEvent event, @Nullable Change change) {

	/** A change of the state of a process, or the fault of the run. */
	enum Change {

		FROZEN, THAWED, KILLED, FAULT_BEGAN, FAULT_ENDED

	}

}
