package io.distlock.records.place;

/**
 * Receives reports from a place. Any thread may call it. Each method returns quickly.
 */
public interface RecordEvents {

	/**
	 * Called when a message for this process has arrived. Any client may have sent it,
	 * and messages may be lost, doubled or late. So the store does not trust its content.
	 * If this process waits for the lock of the message, it reads the record.
	 * @param text the text, perhaps not as it was sent
	 */
	void message(String text);

	/** Called when messages may have been missed. */
	void missed();

}
