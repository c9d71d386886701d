package io.distlock.benchmark.measure;

import java.util.Locale;

/** What is measured; the order is that of the columns. */
public enum Metric {

	/** Acquisitions per second. */
	RATE("acq/s"),

	/** Median wait. */
	WAIT_P50("wait p50 µs"),

	/** 99th percentile of the waits. */
	WAIT_P99("wait p99 µs"),

	/** Longest wait. */
	WAIT_MAX("wait max µs"),

	/** Median time of a release. */
	RELEASE_P50("release p50 µs"),

	/** 99th percentile of the same. */
	RELEASE_P99("release p99 µs"),

	/** Commands per acquisition that the server processed, those of scripts included. */
	COMMANDS("Redis cmds/acq"),

	/** Commands per acquisition that clients sent. */
	WIRE("wire cmds/acq"),

	/** Processor time of the clients per acquisition. */
	CLIENT_CPU("client CPU µs/acq"),

	/** What threads of this process allocated per acquisition. */
	ALLOCATED("bytes/acq"),

	/** Processor time of the server per acquisition. */
	SERVER_CPU("server CPU µs/acq"),

	/** Time inside scripts per acquisition, as the server counts it. */
	SCRIPT_CPU("script µs/acq"),

	/** Acquisitions of the unluckiest thread over those of the luckiest. */
	THREAD_FAIRNESS("threads min/max"),

	/** Acquisitions of the unluckiest process over those of the luckiest. */
	JVM_FAIRNESS("JVMs min/max"),

	/** Median time from a release to the acquisition by another process. */
	HAND_OVER_P50("hand-over p50 µs"),

	/** 99th percentile of the same. */
	HAND_OVER_P99("hand-over p99 µs"),

	/** Virtual threads that kept their carrier while parked. */
	PINNED("pinned"),

	/** Time until all waiters had the lock once. */
	DRAIN("drain ms"),

	/** How many waiters had the lock within the limit. */
	SERVED("served"),

	/** How many waiters got an exception instead. */
	FAILED("failed"),

	/** How often the lock passed to a waiter that came earlier than the one before it. */
	OUT_OF_ORDER("out of order"),

	/** Commands per second that clients sent while nothing happened. */
	IDLE_WIRE("idle wire cmds/s"),

	/** Commands per second and lock that clients sent. */
	LOCK_WIRE("wire cmds/s/lock"),

	/** Commands per second and lock that the server processed. */
	LOCK_COMMANDS("Redis cmds/s/lock"),

	/** What the server needs for a lock that was used once and is released. */
	REST_BYTES("bytes/key after release"),

	/** The same a while after the release. */
	REST_BYTES_LATER("bytes/key later"),

	/** Locks that were no longer held at the end. */
	LOST("lost"),

	/** Threads that exist for the locks, those of network libraries aside. */
	NEW_THREADS("threads added"),

	/** Threads started while the locks were held. */
	STARTED_THREADS("threads started"),

	/** Heap after garbage collection when all locks were held. */
	HEAP_START("heap at start MB"),

	/** What the heap grew by. */
	HEAP_GROWTH("heap growth MB"),

	/** Share of one processor that the clients used. */
	CLIENT_LOAD("client CPU %"),

	/** Share of one processor that the server used. */
	SERVER_LOAD("server CPU %"),

	/** Time of one operation. */
	NANOS("ns/op"),

	/** Time until a lock is ready in a new process: client, connection, scripts. */
	OPEN("open ms"),

	/** First acquisition and release of a process. */
	FIRST_PAIR("first pair ms"),

	/** Processor time of the process meanwhile. */
	FIRST_PAIR_CPU("first pair CPU ms"),

	/** The second ones. */
	SECOND_PAIR("second pair ms"),

	/** Time from the start of a process until its application is ready. */
	START("start ms"),

	/** Processor time of the process until then. */
	START_CPU("start CPU ms"),

	/** Share of the machine that neither clients nor server used. */
	OTHERS("others CPU %"),

	/** Load average of the last minute. */
	LOAD_AVERAGE("load average");

	private final String label;

	Metric(String label) {
		this.label = label;
	}

	/**
	 * Name in tables.
	 * @return the name
	 */
	public String label() {
		return this.label;
	}

	/**
	 * Writes a value with about three digits.
	 * @param value the value
	 * @return the text
	 */
	public static String format(double value) {
		double size = Math.abs(value);
		if (value == Math.rint(value) && size < 100_000 || size >= 100) {
			return String.format(Locale.ROOT, "%.0f", value);
		}
		if (size >= 10) {
			return String.format(Locale.ROOT, "%.1f", value);
		}
		return String.format(Locale.ROOT, (size >= 1) ? "%.2f" : "%.3f", value);
	}

}
