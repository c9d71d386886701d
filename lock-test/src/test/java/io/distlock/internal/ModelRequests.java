package io.distlock.internal;

import java.util.ArrayList;
import java.util.List;

import io.distlock.spi.AcquireResult;
import io.distlock.spi.RenewResult;
import io.distlock.spi.RequestId;

/** Watches the requests of one instance: one at a time, and each is ended. */
final class ModelRequests {

	private RequestId live;

	private RequestId finished;

	private final List<RequestId> forced = new ArrayList<>();

	/** Released by force, as a message said, and not asked about since. */
	private final List<RequestId> heard = new ArrayList<>();

	private int unanswered;

	/** Whether the store owes an answer; a failure is none. */
	private boolean owed;

	/** Whether the live one was ever refused, and how often any was. */
	private boolean refused;

	private int refusals;

	/** The engine sends an attempt to acquire. */
	void acquiring(RequestId request) {
		ModelFailures.unless(this.live == null || this.live.equals(request), "One request at a time",
				request + " while " + this.live);
		ModelFailures.unless(this.finished == null || this.finished.number() < request.number(),
				"A finished request is not repeated", request);
		if (!request.equals(this.live)) {
			this.live = request;
			this.unanswered = 0;
			this.refused = false;
		}
		this.unanswered++;
		this.owed = true;
		ModelFailures.unless(this.unanswered == 1, "One attempt at a time", request);
	}

	/** The engine sends the end of a request. */
	void finishing(RequestId request) {
		over(request);
		this.heard.remove(request);
		if (this.finished == null || this.finished.number() < request.number()) {
			this.finished = request;
		}
	}

	/** The engine is about to get an answer; {@code null} for a failure. */
	void answered(String verb, RequestId request, Object result) {
		if (result instanceof RenewResult.Gone) {
			over(request);
		}
		if ("ACQUIRE".equals(verb) && request.equals(this.live)) {
			this.unanswered--;
			this.owed = result == null;
			if (result instanceof AcquireResult.Busy || result instanceof AcquireResult.Queued) {
				this.refused = true;
				this.refusals++;
			}
			if (result instanceof AcquireResult.Busy || result instanceof AcquireResult.Ended) {
				over(request);
			}
		}
	}

	/** An operator has ended the hold of a request. */
	void forced(RequestId request) {
		this.forced.add(request);
	}

	boolean isForced(RequestId request) {
		return this.forced.contains(request);
	}

	/** The engine gets a message about releases by force. */
	void hear() {
		this.heard.clear();
		this.heard.addAll(this.forced);
	}

	/** The engine sends a renewal. */
	void asking(RequestId request) {
		this.heard.remove(request);
	}

	/** Whether a message reported a release by force, and nothing was asked since. */
	boolean isHeard(RequestId request) {
		return this.heard.contains(request);
	}

	boolean hasHeard() {
		return !this.heard.isEmpty();
	}

	/** The request is over for the engine. */
	void over(RequestId request) {
		if (request.equals(this.live)) {
			this.live = null;
		}
	}

	boolean refused() {
		return this.refused;
	}

	boolean owed() {
		return this.live != null && this.owed;
	}

	int refusals() {
		return this.refusals;
	}

	/** Whether no other request than this one is going on. */
	boolean onlyLive(RequestId request) {
		return this.live == null || this.live.equals(request);
	}

	/** Whether no request is going on. */
	boolean idle() {
		return this.live == null;
	}

}
