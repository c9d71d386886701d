package io.distlock.records.place;

/**
 * Receives what a place reports unasked. May be called from any thread; returns quickly.
 */
public interface RecordEvents {

	/**
	 * Called when a message for this process has arrived. Any client may have sent it,
	 * and messages may be lost, doubled or late. So the store does not trust its content.
	 * The record is read if this process waits for what the message is about.
	 * @param text the text, as it was sent or not
	 */
	void message(String text);

	/** Called when messages may have been missed. */
	void missed();

}
