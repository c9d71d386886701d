const MOST_SECTIONS = 20000;

/** Messages of a run, and the list of the run that each belongs to. */
export const MESSAGES = {
	progress: "progress", sections: "sections", fault: "faults", node: "nodes", story: "story", overlap: "overlaps", key: "keys", script: "scripts",
	verdict: "verdict",
};

const LISTS = Object.values(MESSAGES).filter((name) => name !== "verdict");

/** A run: what was asked for, and what its messages said so far. Times are milliseconds since it began. */
export class Run {

	constructor(view) {
		this.id = view.id;
		this.request = view.request;
		// Also of a run that is over: it is not before all of it is here.
		this.state = "starting";
		this.close = () => {};
		this.clear();
	}

	clear() {
		for (const name of LISTS) {
			this[name] = [];
		}
		this.skipped = 0;
		this.verdict = null;
		this.end = 1;
	}

	/** Takes over a whole run. */
	read(view) {
		this.clear();
		for (const name of LISTS) {
			this[name] = view[name] ?? [];
		}
		this.verdict = view.verdict;
		this.state = view.state;
		this.end = Math.max(1, ...LISTS.flatMap((name) => this[name]).map(({ at, to }) => at ?? to));
	}

	/** Adds a message of a run that goes on. */
	add(name, data) {
		if (name === "sections") {
			this.addSections(data);
		} else if (name === "verdict") {
			this.verdict = data;
			this.state = data.outcome === "stopped" ? "stopped" : "ended";
			this.close();
		} else {
			this[MESSAGES[name]].push(data);
			this.end = Math.max(this.end, data.at ?? data.to);
		}
		if (name === "progress" && this.state === "starting") {
			this.state = "running";
		}
	}

	addSections({ sections, skipped = 0 }) {
		const room = sections.slice(0, Math.max(0, MOST_SECTIONS - this.sections.length));
		this.skipped += skipped + sections.length - room.length;
		for (const section of room) {
			this.sections.push(section);
			this.end = Math.max(this.end, section.to);
		}
	}

	get over() {
		return !["starting", "running"].includes(this.state);
	}

	/** The last progress that was known at a moment. */
	progressAt(at) {
		return this.progress.findLast((each) => each.at <= at) ?? null;
	}

	/** When processes did not run. */
	halts() {
		const halts = [];
		for (const { at, node, state } of this.nodes) {
			if (state === "frozen" || state === "killed") {
				halts.push({ node, from: at, to: Infinity });
			} else if (state === "thawed") {
				const last = halts.findLast((halt) => halt.node === node);
				if (last) {
					last.to = at;
				}
			}
		}
		return halts;
	}

	/** The sentences of the story, at most five: those that the verdict names. */
	tale() {
		const chosen = new Set(this.verdict?.story ?? []);
		return this.told().filter(({ id }) => chosen.has(id));
	}

	/** All notes in order of time: some are found out later than they happened. */
	told() {
		return [...this.story].sort((one, other) => one.at - other.at || one.id - other.id);
	}

}
