package io.distlock.spring;

import java.util.concurrent.Executor;

/**
 * Starts a thread for each task: the common pool may have none left while tasks wait for
 * each other.
 */
final class NewThread {

	static final Executor EXECUTOR = (task) -> new Thread(task).start();

	private NewThread() {
	}

}
