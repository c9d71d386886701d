package io.distlock.redis.simulation;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Locale;

/** The last events: when, who, what. Made to text only if somebody looks. */
final class Trace {

	private final Deque<Line> lines = new ArrayDeque<>();

	private final Schedule schedule;

	private final int length;

	Trace(Schedule schedule, int length) {
		this.schedule = schedule;
		this.length = length;
	}

	/**
	 * Adds a line.
	 * @param who the process or the server
	 * @param what what it does
	 * @param details must not change any more
	 */
	void add(String who, String what, Object... details) {
		if (this.lines.size() >= this.length) {
			this.lines.removeFirst();
		}
		this.lines.addLast(new Line(this.schedule.now(), who, what, details));
	}

	@Override
	public String toString() {
		StringBuilder text = new StringBuilder();
		this.lines.forEach((line) -> line.appendTo(text));
		return text.toString();
	}

	private record Line(long moment, String who, String what, Object[] details) {

		void appendTo(StringBuilder text) {
			text.append(String.format(Locale.ROOT, "%13.6f ms  %-8s %s", this.moment / 1e6, this.who, this.what));
			for (Object detail : this.details) {
				text.append(' ').append(detail);
			}
			text.append('\n');
		}

	}

}
