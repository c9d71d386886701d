package io.distlock.records.state;

import org.jspecify.annotations.Nullable;

/** Thrown if a record is damaged, or has a format that this version does not know. */
public final class UnreadableRecordException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	UnreadableRecordException(String message, @Nullable Throwable cause) {
		super(message, cause);
	}

}
