package io.distlock.internal;

import io.distlock.LockLostException;
import io.distlock.spi.FinishResult;
import io.distlock.text.KeyText;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A release that is confirmed after its caller has gone on; what it finds is logged. */
final class SentRelease implements Ending {

	private static final Logger logger = LoggerFactory.getLogger("io.distlock");

	private final Hold hold;

	private final EngineContext engine;

	SentRelease(Hold hold, EngineContext engine) {
		this.hold = hold;
		this.engine = engine;
	}

	@Override
	public void confirmed(FinishResult result, boolean conclusive) {
		LockLostException loss = this.hold.lossFoundAtRelease(result, conclusive);
		if (loss != null) {
			logger.warn("{}", loss.getMessage());
			this.engine.announcer().lost(loss.loss());
		}
	}

	@Override
	public void abandoned() {
		logger.warn("Lock '{}': the store never confirmed the release; the lock ends with its lease",
				KeyText.of(this.hold.key()));
	}

	@Override
	public boolean awaited() {
		return false;
	}

}
