package io.distlock.lab.run;

import java.util.List;

/**
 * A script of the lab ran.
 *
 * @param at milliseconds since the run began
 * @param node the node
 * @param caller number of the caller, -1 for a timer
 * @param name name of its file
 * @param keys what it got as KEYS
 * @param args what it got as ARGV
 * @param result what it returned
 */
public record ScriptCall(double at, String node, int caller, String name, List<String> keys, List<String> args,
		String result) {

	/** Reads what a node wrote: a word a line, the keys with their number. */
	static ScriptCall of(double at, String node, int caller, String text) {
		List<String> words = List.of(text.split("\n", -1));
		int args = 2 + Integer.parseInt(words.get(1));
		int result = words.size() - 1;
		return new ScriptCall(at, node, caller, words.get(0), words.subList(2, args), words.subList(args, result),
				words.get(result));
	}

}
