/**
 * The distributed lock: what users call, what stores implement, and the engine, which is
 * nobody's business.
 */
module io.distlock.core {

	requires org.slf4j;
	requires static org.jspecify;

	exports io.distlock;
	exports io.distlock.memory;
	exports io.distlock.spi;
	exports io.distlock.text;

}
