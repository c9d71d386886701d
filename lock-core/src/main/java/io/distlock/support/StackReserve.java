package io.distlock.support;

/**
 * Refuses a caller that has hardly any stack left, before anything has begun. Only a
 * refused close has an effect: it gives the hold up, which ends with its lease. If the
 * stack overflows inside a critical section of the JDK, of this library or of a client,
 * the lock of that section may stay taken for ever; see JEP 270. So a caller first shows
 * that it can call about as many methods as any command needs.
 * <p>
 * A frame has room for all its variables and, once compiled, for the arguments of its
 * largest call, also if it does not come to them. So a few frames that do next to nothing
 * show what a hundred usual ones need.
 */
public final class StackReserve {

	/**
	 * How deep the calls go. With less than half of the bytes, stacks still overflowed
	 * inside locks of the JDK.
	 */
	private static final int FRAMES = 48;

	private StackReserve() {
	}

	/**
	 * Returns if the calling thread has enough stack: at least 8 kB, and 30 kB while the
	 * code is not compiled, as then the frames of all methods are larger.
	 * @throws StackOverflowError if not
	 */
	public static void require() {
		descend(FRAMES, 1, 2);
	}

	/** Needs its values afterwards, so that no loop takes the place of the calls. */
	private static long descend(int frames, long a, long b) {
		if (frames == 0) {
			long v1 = a, v2 = b, v3 = a, v4 = b, v5 = a, v6 = b, v7 = a, v8 = b, v9 = a, v10 = b, v11 = a, v12 = b,
					v13 = a, v14 = b, v15 = a, v16 = b, v17 = a, v18 = b, v19 = a, v20 = b, v21 = a, v22 = b, v23 = a,
					v24 = b, v25 = a, v26 = b, v27 = a, v28 = b, v29 = a, v30 = b, v31 = a, v32 = b, v33 = a, v34 = b,
					v35 = a, v36 = b, v37 = a, v38 = b, v39 = a, v40 = b;
			return wide(v1, v2, v3, v4, v5, v6, v7, v8, v9, v10, v11, v12, v13, v14, v15, v16, v17, v18, v19, v20, v21,
					v22, v23, v24, v25, v26, v27, v28, v29, v30, v31, v32, v33, v34, v35, v36, v37, v38, v39, v40);
		}
		return descend(frames - 1, b, a) + (a ^ b);
	}

	/** Is too long to become a part of its caller. */
	private static long wide(long v1, long v2, long v3, long v4, long v5, long v6, long v7, long v8, long v9, long v10,
			long v11, long v12, long v13, long v14, long v15, long v16, long v17, long v18, long v19, long v20,
			long v21, long v22, long v23, long v24, long v25, long v26, long v27, long v28, long v29, long v30,
			long v31, long v32, long v33, long v34, long v35, long v36, long v37, long v38, long v39, long v40) {
		return (v1 ^ v2 ^ v3 ^ v4 ^ v5 ^ v6 ^ v7 ^ v8 ^ v9 ^ v10 ^ v11 ^ v12 ^ v13 ^ v14 ^ v15 ^ v16 ^ v17 ^ v18 ^ v19
				^ v20 ^ v21 ^ v22 ^ v23 ^ v24 ^ v25 ^ v26 ^ v27 ^ v28 ^ v29 ^ v30 ^ v31 ^ v32 ^ v33 ^ v34 ^ v35 ^ v36
				^ v37 ^ v38 ^ v39 ^ v40)
				+ (v1 | v2 | v3 | v4 | v5 | v6 | v7 | v8 | v9 | v10 | v11 | v12 | v13 | v14 | v15 | v16 | v17 | v18
						| v19 | v20 | v21 | v22 | v23 | v24 | v25 | v26 | v27 | v28 | v29 | v30 | v31 | v32 | v33 | v34
						| v35 | v36 | v37 | v38 | v39 | v40)
				+ (v1 & v2 & v3 & v4 & v5 & v6 & v7 & v8 & v9 & v10 & v11 & v12 & v13 & v14 & v15 & v16 & v17 & v18
						& v19 & v20 & v21 & v22 & v23 & v24 & v25 & v26 & v27 & v28 & v29 & v30 & v31 & v32 & v33 & v34
						& v35 & v36 & v37 & v38 & v39 & v40);
	}

}
