package io.distlock.reliability.rig;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Memory that all processes of a cast share: a mapped file of numbers. It has what the
 * director tells the workers, how far they are, and what the locks guard: for each key a
 * plain counter, which loses counts if two work on it at once, and a fenced register,
 * which refuses tokens lower than the highest it has seen.
 */
public final class Board {

	/** How many keys there may be. */
	public static final int KEYS = 4096;

	private static final int WORKERS = 8192;

	private static final int FIELDS = 16;

	private static final long BYTES = 8L * FIELDS * (1 + KEYS + WORKERS);

	private static final VarHandle NUMBERS = MethodHandles.byteBufferViewVarHandle(long[].class,
			ByteOrder.nativeOrder());

	private final MappedByteBuffer memory;

	private Board(MappedByteBuffer memory) {
		this.memory = memory;
	}

	/** Opens the board of a directory, empty if it is new. */
	public static Board in(Path directory) {
		try (FileChannel file = FileChannel.open(directory.resolve("board"), StandardOpenOption.CREATE,
				StandardOpenOption.READ, StandardOpenOption.WRITE)) {
			return new Board(file.map(FileChannel.MapMode.READ_WRITE, 0, BYTES));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/** What the director tells everybody. */
	public enum Order {

		/** The lowest of the keys in use. */
		FIRST_KEY,

		/** How many keys are in use. */
		KEYS,

		/** How long a section takes. */
		SECTION_NANOS,

		/** How long a thread rests after an attempt. */
		REST_NANOS,

		/** How long a thread waits for a lock. */
		WAIT_MILLIS,

		/**
		 * 0 if all keys are held alone; else the even ones are read mostly, and the odd
		 * ones have so many permits.
		 */
		PERMITS

	}

	/** What concerns one worker. */
	public enum Fact {

		/** Told by the director: 0 work, 1 rest, 2 end. */
		TASK,

		/** Told by the director: stay in the section until this is 0. */
		STAY,

		/** 1 when connected. */
		READY,

		/** What its clock of the day showed when it was connected, in milliseconds. */
		CLOCK,

		/** Threads in a section. */
		INSIDE,

		/** Sections that ended. */
		SECTIONS,

		/** Attempts that found the lock busy. */
		BUSY,

		/** Attempts that failed because of the store. */
		ERRORS,

		/** Those of them in which the server did not know a script. */
		UNKNOWN_SCRIPTS,

		/** Threads that are waiting for a lock. */
		WAITING,

		/** Threads that may yet ask for a lock, or write down what they did with one. */
		AT_WORK

	}

	private enum Guarded {

		COUNTER, HIGHEST, OCCUPANT, STAYING

	}

	/** Reads an order. */
	public long get(Order order) {
		return (long) NUMBERS.getVolatile(this.memory, 8 * order.ordinal());
	}

	/** Gives an order. */
	public void set(Order order, long value) {
		NUMBERS.setVolatile(this.memory, 8 * order.ordinal(), value);
	}

	/** Reads a fact about a worker. */
	public long get(int worker, Fact fact) {
		return (long) NUMBERS.getVolatile(this.memory, at(worker, fact));
	}

	/** Changes a fact about a worker. */
	public void set(int worker, Fact fact, long value) {
		NUMBERS.setVolatile(this.memory, at(worker, fact), value);
	}

	void add(int worker, Fact fact, long value) {
		NUMBERS.getAndAdd(this.memory, at(worker, fact), value);
	}

	/** The plain counter of a key. */
	public long counter(int key) {
		return (long) NUMBERS.getVolatile(this.memory, at(key, Guarded.COUNTER));
	}

	void counter(int key, long value) {
		NUMBERS.setVolatile(this.memory, at(key, Guarded.COUNTER), value);
	}

	/**
	 * Writes to the fenced register.
	 * @return whether the token was not lower than those before
	 */
	boolean write(int key, long token) {
		int index = at(key, Guarded.HIGHEST);
		while (true) {
			long highest = (long) NUMBERS.getVolatile(this.memory, index);
			if (token < highest) {
				return false;
			}
			if (NUMBERS.compareAndSet(this.memory, index, highest, token)) {
				return true;
			}
		}
	}

	/**
	 * Reads the fenced register.
	 * @return whether the token was not lower than those who wrote before
	 */
	boolean read(int key, long token) {
		return token >= (long) NUMBERS.getVolatile(this.memory, at(key, Guarded.HIGHEST));
	}

	/** The worker in the section of a key, or -1. */
	public int occupant(int key) {
		return (int) (long) NUMBERS.getVolatile(this.memory, at(key, Guarded.OCCUPANT)) - 1;
	}

	void enter(int key, int worker) {
		NUMBERS.setVolatile(this.memory, at(key, Guarded.OCCUPANT), worker + 1L);
	}

	void leave(int key, int worker) {
		NUMBERS.compareAndSet(this.memory, at(key, Guarded.OCCUPANT), worker + 1L, 0L);
	}

	/** The worker that was ordered to stay in the section of a key and does, or -1. */
	int staying(int key) {
		return (int) (long) NUMBERS.getVolatile(this.memory, at(key, Guarded.STAYING)) - 1;
	}

	void stay(int key, int worker) {
		NUMBERS.setVolatile(this.memory, at(key, Guarded.STAYING), worker + 1L);
	}

	void stayNoMore(int key, int worker) {
		NUMBERS.compareAndSet(this.memory, at(key, Guarded.STAYING), worker + 1L, 0L);
	}

	private static int at(int key, Guarded field) {
		return 8 * (FIELDS * (1 + key) + field.ordinal());
	}

	private static int at(int worker, Fact fact) {
		return 8 * (FIELDS * (1 + KEYS + worker) + fact.ordinal());
	}

}
