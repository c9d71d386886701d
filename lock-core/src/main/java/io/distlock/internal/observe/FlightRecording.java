package io.distlock.internal.observe;

import io.distlock.LockLoss;
import io.distlock.LockRequest;
import io.distlock.observe.AcquisitionObserver;
import io.distlock.observe.GrantKind;
import io.distlock.observe.LockAcquired;
import io.distlock.observe.LockObserver;
import io.distlock.observe.LockRefused;
import io.distlock.observe.LockReleased;
import io.distlock.support.ForeignText;
import io.distlock.support.KeyText;
import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.FlightRecorder;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import org.jspecify.annotations.Nullable;

/**
 * Writes events of the JDK Flight Recorder while a recording asks for them. Users query
 * the names of the events and of their fields, so these names do not change.
 */
final class FlightRecording implements LockObserver {

	@Override
	public @Nullable AcquisitionObserver acquiring(String store, LockRequest request) {
		return (FlightRecorder.isInitialized() && isRecorded()) ? new Recorded(request) : null;
	}

	/**
	 * Returns whether a recording asks for these events. While there is no recording, the
	 * compiler removes the event objects.
	 */
	private static boolean isRecorded() {
		return new Acquire().isEnabled() || new Hold().isEnabled() || new HandOver().isEnabled()
				|| new Lost().isEnabled();
	}

	/** The events of one acquisition. */
	private static final class Recorded implements AcquisitionObserver {

		private final Acquire acquire = new Acquire();

		private final Hold hold = new Hold();

		private final String name;

		private final String key;

		private final String caller;

		Recorded(LockRequest request) {
			this.name = ForeignText.of(request.name());
			this.key = KeyText.of(request.key());
			this.caller = ForeignText.of(request.caller());
			this.acquire.begin();
		}

		@Override
		public void acquired(LockAcquired acquired) {
			end(acquired.how().name(), acquired.fencingToken());
			boolean handedOver = acquired.how() != GrantKind.FREE && acquired.how() != GrantKind.NESTED;
			HandOver handOver = new HandOver();
			if (handedOver && handOver.isEnabled()) {
				describe(handOver, acquired.fencingToken());
				handOver.how = acquired.how().name();
				handOver.before = (acquired.before() != null) ? acquired.before().application() + "@"
						+ acquired.before().host() + " " + acquired.before().caller() : "";
				handOver.commit();
			}
			this.hold.begin();
		}

		@Override
		public void refused(LockRefused refused) {
			end(refused.reason().name(), 0);
		}

		private void end(String outcome, long token) {
			this.acquire.end();
			if (this.acquire.shouldCommit()) {
				describe(this.acquire, token);
				this.acquire.outcome = outcome;
				this.acquire.commit();
			}
		}

		@Override
		public void released(LockReleased released) {
			endHold("RELEASED", released.fencingToken());
		}

		@Override
		public void lost(LockLoss loss) {
			endHold("LOST", loss.fencingToken());
			Lost lost = new Lost();
			if (lost.isEnabled()) {
				describe(lost, loss.fencingToken());
				lost.reason = loss.reason().name();
				lost.commit();
			}
		}

		private void endHold(String end, long token) {
			this.hold.end();
			if (this.hold.key == null && this.hold.shouldCommit()) {
				describe(this.hold, token);
				this.hold.end = end;
				this.hold.commit();
			}
		}

		private void describe(LockEvent event, long token) {
			event.name = this.name;
			event.key = this.key;
			event.caller = this.caller;
			event.fencingToken = token;
		}

	}

	/**
	 * The fields of all events. The recorder takes the fields of a superclass too, unless
	 * they are private.
	 */
	private abstract static class LockEvent extends Event {

		@Label("Name")
		@Nullable String name;

		@Label("Key")
		@Nullable String key;

		@Label("Caller")
		@Nullable String caller;

		@Label("Fencing Token")
		long fencingToken;

	}

	@Name("io.distlock.Acquire")
	@Label("Lock Acquisition")
	@Category("Distributed Lock")
	@Description("From the request for a lock to its grant or refusal")
	@StackTrace(false)
	private static final class Acquire extends LockEvent {

		@Label("Outcome")
		private @Nullable String outcome;

	}

	@Name("io.distlock.Hold")
	@Label("Lock Hold")
	@Category("Distributed Lock")
	@Description("From the grant of a lock to its release or loss")
	@StackTrace(false)
	private static final class Hold extends LockEvent {

		@Label("End")
		private @Nullable String end;

	}

	@Name("io.distlock.HandOver")
	@Label("Lock Hand-over")
	@Category("Distributed Lock")
	@Description("A lock came from another holder")
	@StackTrace(false)
	private static final class HandOver extends LockEvent {

		@Label("How")
		private @Nullable String how;

		@Label("Holder Before")
		private @Nullable String before;

	}

	@Name("io.distlock.Lost")
	@Label("Lock Lost")
	@Category("Distributed Lock")
	@Description("A lock was lost while it was held")
	@StackTrace(false)
	private static final class Lost extends LockEvent {

		@Label("Reason")
		private @Nullable String reason;

	}

}
