package io.distlock.lab.web;

import java.io.IOException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

import org.springframework.beans.factory.DisposableBean;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Component;
import org.springframework.web.server.ResponseStatusException;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;

/** Sends events to those who watch a page, with a thread for each. */
@Component
public class EventStreams implements DisposableBean {

	private static final int MOST = 64;

	private static final long NO_TIMEOUT = 0;

	private final ExecutorService threads = new ThreadPoolExecutor(0, MOST, 10, TimeUnit.SECONDS,
			new SynchronousQueue<>(), (task) -> {
				Thread thread = new Thread(task, "event stream");
				thread.setDaemon(true);
				return thread;
			});

	/**
	 * Opens a stream.
	 * @param source what to send
	 * @return the answer to the request
	 * @throws ResponseStatusException if too many streams are open
	 */
	public SseEmitter open(Source source) {
		SseEmitter emitter = new SseEmitter(NO_TIMEOUT);
		try {
			this.threads.execute(() -> send(source, emitter));
			return emitter;
		}
		catch (RejectedExecutionException ex) {
			throw new ResponseStatusException(HttpStatus.SERVICE_UNAVAILABLE, "Too many pages are open.");
		}
	}

	private static void send(Source source, SseEmitter emitter) {
		try {
			boolean more = true;
			while (more) {
				more = source.next(emitter);
			}
		}
		catch (IOException | IllegalStateException ex) {
			// The reader has left.
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		emitter.complete();
	}

	@Override
	public void destroy() {
		this.threads.shutdownNow();
	}

	/** Has events. */
	@FunctionalInterface
	public interface Source {

		/**
		 * Waits a second at most for events and sends them, or a comment if there are
		 * none, so that a reader who left is noticed.
		 * @param emitter where they go
		 * @return whether more can follow
		 * @throws IOException if the reader has left
		 * @throws InterruptedException if the application ends
		 */
		boolean next(SseEmitter emitter) throws IOException, InterruptedException;

	}

}
