package io.distlock.lab.strategy;

/**
 * A piece of code.
 *
 * @param name of the file or method
 * @param source its text
 */
public record Source(String name, String source) {

	/**
	 * Reads a Lua script of the lab.
	 * @param name name of its file
	 * @return the script
	 */
	public static Source script(String name) {
		return Sources.script(name);
	}

}
