package io.distlock.spi;

/**
 * Names one request for a lock, from the first attempt to its end. Numbers grow within an
 * instance and are never used twice, so a late copy of a command can be told from a live
 * one.
 *
 * @param instance id of the engine that asks, characters {@code [A-Za-z0-9_-]}; for
 * permits, of which an engine may hold several, followed by a dot and a number
 * @param number counted from 1
 */
public record RequestId(String instance, long number) {

	/**
	 * The engine to tell about this request: the instance without the dot and what
	 * follows it. Everything else takes instances that differ there for different ones.
	 * @return the id that the engine has started its store with
	 */
	public String engine() {
		int dot = this.instance.indexOf('.');
		return (dot < 0) ? this.instance : this.instance.substring(0, dot);
	}

}
