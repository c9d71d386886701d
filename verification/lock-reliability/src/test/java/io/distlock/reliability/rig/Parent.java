package io.distlock.reliability.rig;

import java.io.IOException;

/** The process that has started this one. */
public final class Parent {

	private Parent() {
	}

	/**
	 * Ends this process with it: it never writes, and the end of the stream is its end.
	 */
	public static void dieWithIt() {
		Thread watch = new Thread(() -> {
			try {
				while (System.in.read() >= 0) {
					continue;
				}
			}
			catch (IOException ex) {
				// Gone as well.
			}
			Runtime.getRuntime().halt(3);
		}, "watch");
		watch.setDaemon(true);
		watch.start();
	}

}
