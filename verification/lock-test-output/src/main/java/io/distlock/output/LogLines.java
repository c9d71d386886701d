package io.distlock.output;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/**
 * What a logger and those below it log while this is open, by any thread. May be read
 * while others log.
 */
public final class LogLines implements AutoCloseable {

	private final List<ILoggingEvent> events = new CopyOnWriteArrayList<>();

	private final AppenderBase<ILoggingEvent> appender = new AppenderBase<>() {
		@Override
		protected void append(ILoggingEvent event) {
			LogLines.this.events.add(event);
		}
	};

	private final Logger logger;

	private final @Nullable Level before;

	private LogLines(Logger logger) {
		this.logger = logger;
		this.before = logger.getLevel();
		this.appender.start();
		logger.addAppender(this.appender);
	}

	/**
	 * Begins to listen to a logger.
	 * @param logger its name
	 * @return what it logs from now on
	 */
	public static LogLines of(String logger) {
		return new LogLines((Logger) LoggerFactory.getLogger(logger));
	}

	/**
	 * Begins to listen to a logger and sets its level until this is closed.
	 * @param logger its name
	 * @param level its level
	 * @return what it logs from now on
	 */
	public static LogLines of(String logger, Level level) {
		LogLines lines = of(logger);
		lines.logger.setLevel(level);
		return lines;
	}

	/**
	 * Returns what was logged.
	 * @return the events until now, in their order
	 */
	public List<ILoggingEvent> events() {
		return List.copyOf(this.events);
	}

	/**
	 * Returns what was logged at a level or above.
	 * @param least the lowest level
	 * @return the messages until now, in their order
	 */
	public List<String> messages(Level least) {
		return this.events.stream()
			.filter((event) -> event.getLevel().isGreaterOrEqual(least))
			.map(ILoggingEvent::getFormattedMessage)
			.toList();
	}

	/** Listens no longer and sets the level to what it was. */
	@Override
	public void close() {
		this.logger.detachAppender(this.appender);
		this.logger.setLevel(this.before);
	}

}
