/**
 * Contains a lock store on any place that compares and sets a text per lock, and the in-memory store. Both stores use the same state machine, which is internal and not exported.
 */
module io.distlock.records {

	requires transitive io.distlock.core;
	requires org.slf4j;
	requires static com.google.errorprone.annotations;
	requires static org.jspecify;

	exports io.distlock.memory;
	exports io.distlock.records;
	exports io.distlock.records.place;

}
