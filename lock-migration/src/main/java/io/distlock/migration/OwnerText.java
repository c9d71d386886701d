package io.distlock.migration;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

import io.distlock.spi.RequestId;

/**
 * An owner of this library, as written where another library keeps its locks. An owner
 * without an instance has left the lock for the next one of this library.
 *
 * @param turn the end of the turn, in microseconds of the server's clock
 * @param instance the instance
 * @param number the number of its request
 */
record OwnerText(long turn, String instance, long number) {

	/** The beginning of each owner of this library. */
	static final String PREFIX = "distlock:";

	private static final Pattern TEXT = Pattern.compile(PREFIX + "(\\d+):([^:]*):(\\d+)");

	/** Reads an owner, {@code null} if the other library has written it. */
	static @Nullable OwnerText parse(String text) {
		Matcher parts = TEXT.matcher(text);
		return parts.matches()
				? new OwnerText(Long.parseLong(parts.group(1)), parts.group(2), Long.parseLong(parts.group(3))) : null;
	}

	static OwnerText of(long turn, RequestId request) {
		return new OwnerText(turn, request.instance(), request.number());
	}

	boolean isLeft() {
		return this.instance.isEmpty();
	}

	/** Returns whether this is the request, or an earlier one of the same instance. */
	boolean isEndedBy(RequestId request) {
		return this.instance.equals(request.instance()) && this.number <= request.number();
	}

	boolean isAfter(RequestId request) {
		return this.instance.equals(request.instance()) && this.number > request.number();
	}

	@Override
	public String toString() {
		return PREFIX + this.turn + ":" + this.instance + ":" + this.number;
	}

}
