package io.distlock.redis.protocol;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;

import io.distlock.Holder;

/**
 * Writes what an instance reports about a holder as one string: application, host,
 * thread, caller and, with tracing, the trace. The hash of the lock contains instance and
 * time anyway.
 */
final class HolderCodec {

	private static final char SEPARATOR = ';';

	private static final char ESCAPE = '\\';

	/**
	 * Separates the request number from the instance id in the name of a kept hold.
	 */
	private static final char KEPT = '~';

	/**
	 * Limits each part, because every lock stores them and a generated name may be long.
	 */
	private static final int MAX_PART = 200;

	/**
	 * The longest text that {@link #encode} writes. Another program may have written a
	 * longer one.
	 */
	private static final int MAX_TEXT = 5 * (2 * MAX_PART + 1);

	/** The beginning that all holders of an instance share. */
	private volatile Beginning last = new Beginning("", "", "" + SEPARATOR + SEPARATOR);

	private record Beginning(String application, String host, String text) {

		static Beginning of(Holder holder) {
			StringBuilder text = new StringBuilder();
			append(text, holder.application());
			append(text.append(SEPARATOR), holder.host());
			return new Beginning(holder.application(), holder.host(), text.append(SEPARATOR).toString());
		}

		boolean isOf(Holder holder) {
			return this.application.equals(holder.application()) && this.host.equals(holder.host());
		}

	}

	String encode(Holder holder) {
		Beginning beginning = this.last;
		if (!beginning.isOf(holder)) {
			beginning = Beginning.of(holder);
			this.last = beginning;
		}
		StringBuilder text = new StringBuilder(beginning.text());
		append(text, holder.thread());
		append(text.append(SEPARATOR), holder.caller());
		if (!holder.trace().isEmpty()) {
			append(text.append(SEPARATOR), holder.trace());
		}
		return text.toString();
	}

	/**
	 * Reads metadata; as far as possible, it also reads metadata of other versions.
	 */
	static Holder decode(String text, String instance, long token) {
		List<String> parts = split((text.length() > MAX_TEXT) ? text.substring(0, MAX_TEXT) : text);
		while (parts.size() < 5) {
			parts.add("");
		}
		// Removes at most one mark, because another program may have written any text.
		int end = (instance.indexOf(KEPT) == 0) ? instance.indexOf(KEPT, 1) : -1;
		// Tokens follow the server's clock in microseconds.
		Instant since = Instant.EPOCH.plus(token, ChronoUnit.MICROS);
		Holder holder = new Holder(parts.get(0), parts.get(1), instance.substring(end + 1), parts.get(2), parts.get(3),
				since, parts.get(4));
		return (end > 0) ? holder.released() : holder;
	}

	private static void append(StringBuilder text, String part) {
		if (part.length() <= MAX_PART && part.indexOf(SEPARATOR) < 0 && part.indexOf(ESCAPE) < 0) {
			text.append(part);
			return;
		}
		for (int i = 0; i < Math.min(part.length(), MAX_PART); i++) {
			char c = part.charAt(i);
			if (c == SEPARATOR || c == ESCAPE) {
				text.append(ESCAPE);
			}
			text.append(c);
		}
	}

	private static List<String> split(String text) {
		List<String> parts = new ArrayList<>();
		StringBuilder part = new StringBuilder();
		for (int i = 0; i < text.length(); i++) {
			char c = text.charAt(i);
			if (c == SEPARATOR) {
				parts.add(part.toString());
				part.setLength(0);
			}
			else if (c == ESCAPE && i + 1 < text.length()) {
				i++;
				part.append(text.charAt(i));
			}
			else {
				part.append(c);
			}
		}
		parts.add(part.toString());
		return parts;
	}

}
