package io.distlock.autoconfigure;

import java.time.Duration;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.context.SmartLifecycle;

import io.distlock.DefaultLockTemplate;

/**
 * Ends the lock when the application stops: after what brings in work, which stops in
 * phases near {@link Integer#MAX_VALUE} (web server, executors, message listeners), and
 * before connection factories, which stop in phase 0.
 */
final class LockShutdown implements SmartLifecycle {

	static final int PHASE = 1024;

	private static final Logger logger = LoggerFactory.getLogger(LockShutdown.class);

	private final DefaultLockTemplate template;

	private final Duration timeout;

	private volatile boolean running;

	LockShutdown(DefaultLockTemplate template, Duration timeout) {
		this.template = template;
		this.timeout = timeout;
	}

	@Override
	public void start() {
		this.running = true;
	}

	@Override
	public void stop() {
		this.running = false;
		if (!this.template.shutdown(this.timeout)) {
			logger.warn("Some locks were still held {} after shutdown began; they end with their leases. "
					+ "Raise distributed-lock.shutdown-timeout if methods need longer to finish", this.timeout);
		}
	}

	@Override
	public boolean isRunning() {
		return this.running;
	}

	@Override
	public int getPhase() {
		return PHASE;
	}

	/**
	 * A template does not start again. Spring Framework 7 pauses contexts that tests keep
	 * for later; earlier versions do not know this method.
	 * @return {@code false}
	 */
	public boolean isPauseable() {
		return false;
	}

}
