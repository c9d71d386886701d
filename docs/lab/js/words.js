import { read } from "./laboratory.js";
import { number, say, text } from "./page.js";

const NUMBERS = ["nodes", "callers", "items", "insideMillis"];

/** Words of strategies and faults, as the laboratory sends them. */
export class Words {

	constructor() {
		this.strategies = [];
		this.faults = [];
	}

	async load() {
		[this.strategies, this.faults] = await Promise.all([read("strategies"), read("faults")]);
	}

	find(id) {
		return this.strategies.find((each) => each.id === id);
	}

	strategy(id) {
		return say(this.find(id)?.title) || id;
	}

	/** Whether callers of a strategy come in by a lock that has a place of its own. */
	hasLock(id) {
		const groups = ["setnx-del", "annotation-redis"].map((each) => this.find(each)?.group.en);
		return groups.includes(this.find(id)?.group.en);
	}

	/** What to expect of a strategy with a fault, and why. */
	cell(id, fault) {
		return this.find(id).cells.find((each) => each.fault === fault);
	}

	fault(id) {
		return say(this.faults.find((each) => each.id === id)?.title) || (id ?? "");
	}

	sizes(request) {
		return text("runs.sizes", Object.fromEntries(NUMBERS.map((name) => [name, number(request[name])])));
	}

}
