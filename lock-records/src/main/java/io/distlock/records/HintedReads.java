package io.distlock.records;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;

import io.distlock.spi.Grant;
import io.distlock.spi.RequestId;
import io.distlock.spi.StoreListener;

/**
 * Looks at records that a message from anywhere says were changed for this process. There
 * is one look at a time per request that waits, however many messages arrive.
 */
final class HintedReads {

	private final Map<Id, AtomicReference<Look>> waiting = new ConcurrentHashMap<>();

	private final RecordPipelines pipelines;

	private final GrantedHere holds;

	HintedReads(RecordPipelines pipelines, GrantedHere holds) {
		this.pipelines = pipelines;
		this.holds = holds;
	}

	/**
	 * A request of this process may wait in the record from now on. A hint may arrive
	 * before the answer that it does.
	 */
	void asked(String key, RequestId request) {
		this.waiting.putIfAbsent(new Id(key, request), new AtomicReference<>(Look.NONE));
	}

	/** A request of this process does not wait, or not any more. */
	void over(String key, RequestId request) {
		this.waiting.remove(new Id(key, request));
	}

	/** Reads whether a request was granted, if it waits. */
	void look(String key, RequestId request, StoreListener listener) {
		AtomicReference<Look> looks = this.waiting.get(new Id(key, request));
		if (looks != null && looks.getAndUpdate(Look::asked) == Look.NONE) {
			read(key, request, looks, listener);
		}
	}

	private void read(String key, RequestId request, AtomicReference<Look> looks, StoreListener listener) {
		RecordCommand<Optional<Grant>> command = new RecordCommand<>(RecordCommand.Kind.LOOK,
				this.pipelines.context().deadline(), (state, time) -> () -> state.grantOf(request, time)
					.flatMap((grant) -> this.holds.found(key, request, grant, time.incarnation())));
		command.answer().whenComplete((grant, failure) -> {
			if (failure == null) {
				grant.ifPresent((found) -> listener.granted(key, request, found));
			}
			if (looks.getAndUpdate(Look::answered) == Look.AGAIN) {
				look(key, request, listener);
			}
		});
		this.pipelines.submit(key, command);
	}

	private enum Look {

		NONE, UNDER_WAY, AGAIN;

		Look asked() {
			return (this == NONE) ? UNDER_WAY : AGAIN;
		}

		Look answered() {
			return NONE;
		}

	}

	private record Id(String key, RequestId request) {
	}

}
