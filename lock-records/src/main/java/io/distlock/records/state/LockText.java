package io.distlock.records.state;

import java.time.Instant;

import io.distlock.Holder;
import io.distlock.spi.FinishResult;
import io.distlock.spi.RequestId;
import io.distlock.spi.Sharing;
import io.distlock.support.ForeignText;

/**
 * Writes the state of a lock as one line of printable ASCII, and reads it. A {@code |}
 * separates the rows of the following table, and each part ends in {@code ;}:
 *
 * <pre>
 * 1                                   format
 * highest token; tokens without number; grace;
 * H instance; number; incarnation; sharing; token or +offset; tokens; end; lease; claimed; since; holder…; trace;
 * W instance; number; incarnation; sharing; tokens; lease; alive until; holder…; trace;
 * E instance; number; result; at;
 * F instance; number; at; until;    a hold that was released by force
 * </pre>
 *
 * The incarnation is empty if it equals the engine. The sharing is {@code E}, {@code S},
 * or {@code P} with the number of permits. The holder consists of application, host,
 * instance (empty if it equals the engine), thread and caller. The trace of a holder or a
 * waiter is optional.
 */
public final class LockText {

	/** The longest grace that a store can be configured with. */
	private static final long MOST_GRACE_MILLIS = 60_000;

	/**
	 * The largest number of a record, so that the sum of two numbers does not overflow.
	 */
	private static final long MOST = Long.MAX_VALUE / 2;

	/**
	 * The largest token, as in Redis. A token and its block stay below 2^53. A clock in
	 * microseconds reaches this number in the year 2255.
	 */
	private static final long MOST_TOKEN = 9_000_000_000_000_000L;

	/** The format of the text. This class refuses any other format. */
	private static final char FORMAT = '1';

	private static final int LONGEST_OF_HOLDER = 200;

	/** The longest text of a waiter, because a lock may have many waiters. */
	private static final int LONGEST_OF_WAITER = 80;

	private static final String ALONE = "E";

	private static final String SHARED = "S";

	private static final String PERMIT = "P";

	private static final String WITHOUT_NUMBER = "+";

	private LockText() {
	}

	/**
	 * Writes a state.
	 * @param state the state
	 * @return the line
	 * @throws UnreadableRecordException if the line could not be read again
	 */
	public static String write(LockState state) {
		StringBuilder line = new StringBuilder(256).append(FORMAT).append('|');
		if (state.highestToken() > MOST_TOKEN || state.tokens().unnumbered() > MOST_TOKEN) {
			throw new UnreadableRecordException("there is no higher fencing token", null);
		}
		TextParts.write(line, state.highestToken());
		TextParts.write(line, state.tokens().unnumbered());
		TextParts.write(line, state.graceMillis());
		state.holds().all().forEach((hold) -> write(line, hold));
		state.waiters().forEach((waiter) -> write(line, waiter));
		state.ended().forEach((instance, ended) -> write(line, instance, ended));
		return line.toString();
	}

	/**
	 * Reads a state.
	 * @param text the line, empty for a lock that was never used
	 * @param key the lock
	 * @param rules what differs between stores
	 * @return the state
	 * @throws UnreadableRecordException if an unknown version wrote the text, or the text
	 * is damaged
	 */
	public static LockState read(String text, String key, StateRules rules) {
		LockState state = new LockState(key, rules);
		if (text.isEmpty()) {
			return state;
		}
		if (text.charAt(0) != FORMAT) {
			throw new UnreadableRecordException("it begins with \"" + ForeignText.of(text.substring(0, 1))
					+ "\", and this version reads format " + FORMAT + " only", null);
		}
		String[] lines = text.split("\\|", -1);
		try {
			TextParts head = new TextParts(lines[1]);
			state.raiseToken(bounded(head.number(), MOST_TOKEN));
			state.tokens().restoreUnnumbered(bounded(head.number(), MOST_TOKEN));
			state.keepGrace(bounded(head.number(), MOST_GRACE_MILLIS));
			for (int i = 2; i < lines.length; i++) {
				read(state, lines[i].charAt(0), new TextParts(lines[i].substring(1)));
			}
		}
		catch (RuntimeException ex) {
			throw new UnreadableRecordException("it is damaged", ex);
		}
		return state;
	}

	private static void read(LockState state, char kind, TextParts parts) {
		String instance = parts.text();
		RequestId request = RequestId.parse(instance, number(parts));
		switch (kind) {
			case 'H' -> state.holds().put(hold(state, request, parts));
			case 'W' -> state.put(waiter(request, parts));
			case 'E' -> state.ended()
				.put(instance, new EndedRequest(request.number(), FinishResult.valueOf(parts.text()), number(parts)));
			case 'F' -> state.ended().put(instance, forced(request, parts));
			default -> throw new IllegalArgumentException("Unknown kind of line: " + kind);
		}
	}

	private static void write(StringBuilder line, StateHold hold) {
		begin(line, 'H', hold.request(), hold.incarnation(), hold.sharing());
		ReservedTokens tokens = hold.tokens();
		TextParts.write(line, (tokens.isNumbered() ? "" : WITHOUT_NUMBER) + tokens.first(), Integer.MAX_VALUE);
		TextParts.write(line, tokens.count());
		TextParts.write(line, hold.end());
		TextParts.write(line, hold.leaseMillis());
		TextParts.write(line, hold.claimed() ? 1 : 0);
		Instant since = hold.holder().since();
		TextParts.write(line, since.toEpochMilli());
		write(line, hold.holder(), hold.request(), LONGEST_OF_HOLDER);
	}

	private static StateHold hold(LockState state, RequestId request, TextParts parts) {
		String incarnation = incarnation(request, parts);
		Sharing sharing = sharing(parts.text());
		ReservedTokens tokens = tokens(state, parts);
		long end = end(parts);
		long lease = number(parts);
		boolean claimed = parts.number() == 1;
		Instant since = Instant.ofEpochMilli(number(parts));
		return new StateHold(request, incarnation, sharing, tokens, end, lease, claimed, holder(parts, request, since));
	}

	/**
	 * Reads a number. A damaged number must not make a hold appear to be over, and must
	 * not lower tokens. So this method refuses a number that is negative, or so large
	 * that an addition makes it negative.
	 */
	private static long number(TextParts parts) {
		return bounded(parts.number(), MOST);
	}

	private static long end(TextParts parts) {
		long millis = parts.number();
		return (millis != StateHold.OPEN) ? bounded(millis, MOST) : millis;
	}

	private static int count(TextParts parts) {
		return (int) bounded(parts.number(), Integer.MAX_VALUE);
	}

	private static long bounded(long value, long most) {
		if (value < 0 || value > most) {
			throw new IllegalArgumentException("A number is out of its range: " + value);
		}
		return value;
	}

	private static ReservedTokens tokens(LockState state, TextParts parts) {
		String first = parts.text();
		int count = count(parts);
		if (!first.startsWith(WITHOUT_NUMBER)) {
			return ReservedTokens.numbered(bounded(Long.parseLong(first), MOST_TOKEN), count);
		}
		ReservedTokens following = ReservedTokens.following(bounded(Long.parseLong(first.substring(1)), MOST_TOKEN),
				count);
		state.tokens().addUnnumbered(following);
		return following;
	}

	private static void write(StringBuilder line, StateWaiter waiter) {
		begin(line, 'W', waiter.request(), waiter.incarnation(), waiter.sharing());
		TextParts.write(line, waiter.tokens());
		TextParts.write(line, waiter.leaseMillis());
		TextParts.write(line, waiter.aliveUntil());
		write(line, waiter.holder(), waiter.request(), LONGEST_OF_WAITER);
	}

	private static StateWaiter waiter(RequestId request, TextParts parts) {
		String incarnation = incarnation(request, parts);
		Sharing sharing = sharing(parts.text());
		int tokens = count(parts);
		long lease = number(parts);
		long aliveUntil = end(parts);
		return new StateWaiter(request, incarnation, sharing, tokens, lease, aliveUntil,
				holder(parts, request, Instant.EPOCH));
	}

	private static EndedRequest forced(RequestId request, TextParts parts) {
		long at = number(parts);
		long until = number(parts);
		return new EndedRequest(request.number(), FinishResult.FORCED, at, until);
	}

	private static void write(StringBuilder line, String instance, EndedRequest ended) {
		if (ended.result() == FinishResult.FORCED) {
			line.append("|F");
			TextParts.write(line, instance, Integer.MAX_VALUE);
			TextParts.write(line, ended.number());
			TextParts.write(line, ended.at());
			TextParts.write(line, ended.newsUntil());
			return;
		}
		line.append("|E");
		TextParts.write(line, instance, Integer.MAX_VALUE);
		TextParts.write(line, ended.number());
		TextParts.write(line, ended.result().name(), Integer.MAX_VALUE);
		TextParts.write(line, ended.at());
	}

	private static void begin(StringBuilder line, char kind, RequestId request, String incarnation, Sharing sharing) {
		line.append('|').append(kind);
		TextParts.write(line, request.instance(), Integer.MAX_VALUE);
		TextParts.write(line, request.number());
		TextParts.write(line, incarnation.equals(request.engine()) ? "" : incarnation, Integer.MAX_VALUE);
		TextParts.write(line, text(sharing), Integer.MAX_VALUE);
	}

	private static String incarnation(RequestId request, TextParts parts) {
		String incarnation = parts.text();
		return incarnation.isEmpty() ? request.engine() : incarnation;
	}

	private static String text(Sharing sharing) {
		if (sharing instanceof Sharing.Permit permit) {
			return PERMIT + permit.of();
		}
		return (sharing instanceof Sharing.Shared) ? SHARED : ALONE;
	}

	private static Sharing sharing(String text) {
		return switch (text) {
			case ALONE -> Sharing.EXCLUSIVE;
			case SHARED -> Sharing.SHARED;
			default -> new Sharing.Permit(Integer.parseInt(text, PERMIT.length(), text.length(), 10));
		};
	}

	private static void write(StringBuilder line, Holder holder, RequestId request, int longest) {
		TextParts.write(line, holder.application(), longest);
		TextParts.write(line, holder.host(), longest);
		TextParts.write(line, holder.instance().equals(request.engine()) ? "" : holder.instance(), longest);
		TextParts.write(line, holder.thread(), longest);
		TextParts.write(line, holder.caller(), longest);
		if (!holder.trace().isEmpty()) {
			TextParts.write(line, holder.trace(), longest);
		}
	}

	private static Holder holder(TextParts parts, RequestId request, Instant since) {
		String application = parts.text();
		String host = parts.text();
		String instance = parts.text();
		return new Holder(application, host, instance.isEmpty() ? request.engine() : instance, parts.text(),
				parts.text(), since, parts.isOver() ? "" : parts.text());
	}

}
