package io.distlock.sample.lab.web;

import java.io.IOException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

import io.distlock.sample.lab.RunFeed;
import io.distlock.sample.lab.RunFeed.Message;

import org.springframework.beans.factory.DisposableBean;
import org.springframework.stereotype.Component;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;

/** Sends the messages of runs to those who watch, each on a thread of its own. */
@Component
class EventStreams implements DisposableBean {

	private static final int MOST = 64;

	private static final long NO_TIMEOUT = 0;

	private final ExecutorService threads = new ThreadPoolExecutor(0, MOST, 10, TimeUnit.SECONDS,
			new SynchronousQueue<>(), (task) -> {
				Thread thread = new Thread(task, "lab events");
				thread.setDaemon(true);
				return thread;
			});

	/**
	 * Opens a stream.
	 * @throws java.util.concurrent.RejectedExecutionException if too many are open
	 */
	SseEmitter of(RunFeed feed) {
		SseEmitter emitter = new SseEmitter(NO_TIMEOUT);
		this.threads.execute(() -> send(feed, emitter));
		return emitter;
	}

	private static void send(RunFeed feed, SseEmitter emitter) {
		try {
			int from = 0;
			while (!feed.ended(from)) {
				int before = from;
				for (Message message : feed.read(from)) {
					emitter.send(SseEmitter.event().name(message.name()).data(message.data()));
					from++;
				}
				if (from == before) {
					// Finds out whether anybody still listens.
					emitter.send(SseEmitter.event().comment("waiting"));
				}
			}
			emitter.complete();
		}
		catch (IOException | IllegalStateException ex) {
			// Nobody listens any more.
			emitter.complete();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			emitter.complete();
		}
	}

	@Override
	public void destroy() {
		this.threads.shutdownNow();
	}

}
