package io.distlock.jdbc;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import org.slf4j.LoggerFactory;

/** What a class logs from now on, whatever thread it is on. */
final class LogLines extends AppenderBase<ILoggingEvent> implements AutoCloseable {

	private final List<String> lines = new CopyOnWriteArrayList<>();

	private final Logger logger;

	private final Level before;

	private LogLines(Logger logger) {
		this.logger = logger;
		this.before = logger.getLevel();
	}

	static LogLines of(Class<?> type) {
		return of(type.getName());
	}

	static LogLines of(String name) {
		LogLines lines = new LogLines((Logger) LoggerFactory.getLogger(name));
		lines.start();
		lines.logger.setLevel(Level.INFO);
		lines.logger.addAppender(lines);
		return lines;
	}

	List<String> containing(String text) {
		return this.lines.stream().filter((line) -> line.contains(text)).toList();
	}

	@Override
	protected void append(ILoggingEvent event) {
		this.lines.add(event.getFormattedMessage());
	}

	@Override
	public void close() {
		this.logger.detachAppender(this);
		this.logger.setLevel(this.before);
	}

}
