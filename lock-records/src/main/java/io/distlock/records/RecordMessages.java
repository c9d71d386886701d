package io.distlock.records;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

import io.distlock.records.place.RecordEvents;
import io.distlock.spi.Grant;
import io.distlock.spi.RequestId;
import io.distlock.spi.StoreListener;

/**
 * Notifies the engine of messages. A message may come from any sender, so this class
 * reads the record before it reports a grant. Each waiting request has at most one read
 * under way, however many messages arrive.
 */
final class RecordMessages implements RecordEvents, MessageText.Receiver {

	private final Map<Id, Waiting> waiting = new ConcurrentHashMap<>();

	private final RecordPipelines pipelines;

	private final GrantedHere holds;

	private final StoreListener listener;

	private final Supplier<PollPace> paces;

	RecordMessages(RecordPipelines pipelines, GrantedHere holds, StoreListener listener, Supplier<PollPace> paces) {
		this.pipelines = pipelines;
		this.holds = holds;
		this.listener = listener;
		this.paces = paces;
	}

	/**
	 * Notes that a request of this process may wait in the record from now on. A message
	 * may arrive before the answer to the request.
	 * @return how often it asks while it waits
	 */
	PollPace asked(String key, RequestId request) {
		return this.waiting
			.computeIfAbsent(new Id(key, request), (id) -> new Waiting(new AtomicReference<>(Look.NONE), newPace()))
			.pace();
	}

	/** Returns the pace of a request that nothing else knows. */
	PollPace newPace() {
		return this.paces.get();
	}

	/** Notes that a request of this process does not wait, or no longer waits. */
	void over(String key, RequestId request) {
		this.waiting.remove(new Id(key, request));
	}

	/** Returns the number of requests that may wait. */
	int size() {
		return this.waiting.size();
	}

	@Override
	public void message(String text) {
		MessageText.read(text, this);
	}

	@Override
	public void missed() {
		this.listener.reconnected();
	}

	@Override
	public void granted(String key, RequestId request) {
		Waiting found = this.waiting.get(new Id(key, request));
		if (found != null && found.looks().getAndUpdate(Look::asked) == Look.NONE) {
			read(key, request, found.looks());
		}
	}

	@Override
	public void contended(String key) {
		// A place with sessions refuses an outdated write without returning the record.
		if (!this.pipelines.context().rules().byClock()) {
			this.pipelines.refresh(key);
		}
		this.listener.contended(key);
	}

	@Override
	public void revoked(String key) {
		this.listener.revoked(key);
	}

	private void read(String key, RequestId request, AtomicReference<Look> looks) {
		RecordCommand<Optional<Grant>> command = new RecordCommand<>(RecordCommand.Kind.LOOK,
				this.pipelines.context().deadline(), (state, time) -> () -> state.grantOf(request, time)
					.flatMap((grant) -> this.holds.found(key, request, grant, time.incarnation())));
		command.answer().whenComplete((grant, failure) -> {
			if (failure == null) {
				grant.ifPresent((found) -> this.listener.granted(key, request, found));
			}
			if (looks.getAndSet(Look.NONE) == Look.AGAIN) {
				granted(key, request);
			}
		});
		this.pipelines.submit(key, command);
	}

	/** The state of the reads for one request. */
	private enum Look {

		NONE, UNDER_WAY, AGAIN;

		Look asked() {
			return (this == NONE) ? UNDER_WAY : AGAIN;
		}

	}

	/**
	 * A request that waits.
	 *
	 * @param looks whether it is being looked up because of a message
	 * @param pace how often it asks without a message
	 */
	private record Waiting(AtomicReference<Look> looks, PollPace pace) {
	}

	private record Id(String key, RequestId request) {
	}

}
