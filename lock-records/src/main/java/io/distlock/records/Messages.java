package io.distlock.records;

import io.distlock.records.place.RecordEvents;
import io.distlock.spi.Grant;
import io.distlock.spi.RequestId;
import io.distlock.spi.StoreListener;

/** Passes messages of the place on to the engine. */
final class Messages implements RecordEvents {

	private final RecordPipelines pipelines;

	private final GrantedHere holds;

	private final HintedReads hints;

	private final StoreListener listener;

	private final MessageText.Receiver believing = new Believing();

	private final MessageText.Receiver reading = new Reading();

	Messages(RecordPipelines pipelines, GrantedHere holds, HintedReads hints, StoreListener listener) {
		this.pipelines = pipelines;
		this.holds = holds;
		this.hints = hints;
		this.listener = listener;
	}

	@Override
	public void message(String text, long tokenFloor) {
		MessageText.read(text, tokenFloor, this.believing);
	}

	@Override
	public void hint(String text) {
		MessageText.read(text, 0, this.reading);
	}

	@Override
	public void missed() {
		this.listener.reconnected();
	}

	/** Passes on what a message says. */
	private class Believing implements MessageText.Receiver {

		@Override
		public void granted(String key, RequestId request, String incarnation, Grant grant) {
			Messages.this.holds.found(key, request, grant, incarnation)
				.ifPresent((sure) -> Messages.this.listener.granted(key, request, sure));
		}

		@Override
		public void contended(String key) {
			Messages.this.listener.contended(key);
		}

		@Override
		public void revoked(String key) {
			Messages.this.listener.revoked(key);
		}

	}

	/** Reads the record instead of believing a message. */
	private final class Reading extends Believing {

		@Override
		public void granted(String key, RequestId request, String incarnation, Grant grant) {
			Messages.this.hints.look(key, request, Messages.this.listener);
		}

		@Override
		public void contended(String key) {
			// A place of sessions refuses an outdated write without saying what is there.
			if (!Messages.this.pipelines.context().rules().byClock()) {
				Messages.this.pipelines.refresh(key);
			}
			super.contended(key);
		}

	}

}
