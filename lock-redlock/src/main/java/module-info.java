/**
 * The store on a majority of independent Redis masters.
 */
module io.distlock.redlock {

	requires transitive io.distlock.redis;
	requires org.slf4j;
	requires static org.jspecify;

	exports io.distlock.redlock;

}
