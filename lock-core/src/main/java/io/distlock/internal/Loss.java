package io.distlock.internal;

/** Why a hold was lost. */
enum Loss {

	/** The local deadline passed. */
	EXPIRED("its lease ended before a renewal was confirmed"),

	/** The store answered a renewal with no. */
	TAKEN("the store no longer knew this hold when it was to be renewed"),

	/** The store answered a release, in good time, with no. */
	VANISHED("the store no longer knew this hold when it was released, though its lease was not over");

	private final String reason;

	Loss(String reason) {
		this.reason = reason;
	}

	String reason() {
		return this.reason;
	}

}
