package io.distlock.records.place;

/**
 * Receives what a place reports unasked. May be called from any thread; returns quickly.
 */
public interface RecordEvents {

	/**
	 * Called when a message for this process has arrived. Messages may be lost, doubled
	 * or late.
	 * @param text the text, as it was sent
	 * @param tokenFloor the {@link LockRecords.Written.Done#tokenFloor()} of the write
	 * that sent it where moments have none, otherwise anything
	 */
	void message(String text, long tokenFloor);

	/**
	 * Called when a message for this process has arrived that others than processes with
	 * rights to the records may have sent. Nothing in it is believed: the record is read
	 * if this process waits for what the message is about.
	 * @param text the text, as it was sent or not
	 */
	default void hint(String text) {
	}

	/** Called when messages may have been missed. */
	void missed();

}
