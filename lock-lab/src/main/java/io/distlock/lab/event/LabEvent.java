package io.distlock.lab.event;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/**
 * Something that happened in a node.
 *
 * @param kind what happened
 * @param caller number of the caller, unique in the run, or -1
 * @param micros when, in microseconds of {@link LabClock}
 * @param value depends on the kind
 * @param extra depends on the kind
 * @param text depends on the kind, mostly empty
 */
public record LabEvent(Kind kind, int caller, long micros, int value, int extra, String text) {

	private static final Kind[] KINDS = Kind.values();

	/**
	 * Creates an event without a text.
	 * @param kind what happened
	 * @param caller number of the caller, or -1
	 * @param micros when
	 * @param value depends on the kind
	 * @param extra depends on the kind
	 */
	public LabEvent(Kind kind, int caller, long micros, int value, int extra) {
		this(kind, caller, micros, value, extra, "");
	}

	/**
	 * Writes the event: 23 bytes and the text.
	 * @param out where it goes
	 */
	public void write(DataOutput out) throws IOException {
		out.writeByte(this.kind.ordinal());
		out.writeInt(this.caller);
		out.writeLong(this.micros);
		out.writeInt(this.value);
		out.writeInt(this.extra);
		out.writeUTF(this.text);
	}

	/**
	 * Reads what {@link #write} wrote.
	 * @param in where it comes from
	 * @return the event
	 * @throws IOException if there is no event
	 */
	public static LabEvent read(DataInput in) throws IOException {
		int kind = in.readUnsignedByte();
		if (kind >= KINDS.length) {
			throw new IOException("No event has the number " + kind);
		}
		return new LabEvent(KINDS[kind], in.readInt(), in.readLong(), in.readInt(), in.readInt(), in.readUTF());
	}

	/** Kinds of events. */
	public enum Kind {

		/** The node can begin. The value is how many callers run at the same time. */
		READY,

		/**
		 * A caller is inside. The value is how long it waited, in microseconds; the text
		 * its fencing token, if it has one.
		 */
		ENTER,

		/** A caller is not inside any more. */
		LEAVE,

		/** A caller found that its lock was gone, and left without having written. */
		ABANDON,

		/**
		 * An item is sold. The value is the number of the item, the extra how long the
		 * customer waited, in microseconds.
		 */
		SOLD,

		/**
		 * A caller wrote the stock. The value is what it wrote, the extra what was there
		 * right before.
		 */
		WROTE,

		/** A write with an old fencing token was refused; the text is the token. */
		REFUSED,

		/** A lock asked for a longer lease. */
		RENEWED,

		/** A holder is told that its lock is lost; the text is the reason. */
		LOST,

		/** A script ran: its name, KEYS, ARGV and result, each list with its length. */
		SCRIPT,

		/** An attempt failed. The value is 1 if the caller itself broke down. */
		FAILURE,

		/**
		 * A caller waits at the place where the fault hits it. The value is 1 if it has
		 * been inside already and only gives back its lock.
		 */
		TRAPPED,

		/** A caller has nothing left to do. */
		DONE,

		/** Since the last of this kind: the value is retries, the extra conflicts. */
		COUNTS,

		/** Nothing that happened before this moment follows. */
		HEARTBEAT,

		/** All callers of the run have ended. */
		ENDED,

		/** The node could not begin; its output has the reason. */
		BROKEN

	}

}
