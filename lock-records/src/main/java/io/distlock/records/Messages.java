package io.distlock.records;

import io.distlock.records.state.StateRules;
import io.distlock.spi.StoreListener;

/** Passes messages of the place on to the engine. */
final class Messages implements RecordEvents {

	private final Lanes lanes;

	private final OwnHolds holds;

	private final Hints hints;

	private final StoreListener listener;

	Messages(Lanes lanes, OwnHolds holds, Hints hints, StoreListener listener) {
		this.lanes = lanes;
		this.holds = holds;
		this.hints = hints;
		this.listener = listener;
	}

	@Override
	public void message(String text, long stamp) {
		MessageText.read(text, stamp).ifPresent(this::received);
	}

	private void received(MessageText message) {
		if (message instanceof MessageText.Granted granted) {
			this.holds.found(granted.key(), granted.request(), granted.grant(), granted.life())
				.ifPresent((grant) -> this.listener.granted(granted.key(), granted.request(), grant));
		}
		else if (message instanceof MessageText.Revoked) {
			this.listener.revoked(message.key());
		}
		else {
			this.listener.contended(message.key());
		}
	}

	@Override
	public void hint(String text) {
		MessageText.read(text, 0).ifPresent((message) -> {
			if (message instanceof MessageText.Granted granted) {
				this.hints.look(granted.key(), granted.request(), this.listener);
			}
			else if (message instanceof MessageText.Revoked) {
				this.listener.revoked(message.key());
			}
			else {
				contended(message.key());
			}
		});
	}

	private void contended(String key) {
		// A place of sessions refuses an outdated write without saying what is there.
		if (this.lanes.context().rules().ends() == StateRules.Ends.WITH_SESSION) {
			this.lanes.refresh(key);
		}
		this.listener.contended(key);
	}

	@Override
	public void missed() {
		this.listener.reconnected();
	}

}
