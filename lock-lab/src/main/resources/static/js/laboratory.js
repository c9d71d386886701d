import { call } from "./page.js";
import { MESSAGES, Run } from "./run.js";

/** Where runs come from: the laboratory on this machine, or the files that one has written. */

export const RECORDED = "recorded" in document.documentElement.dataset;

/** What the laboratory knows: strategies, faults, limits, tour, runs. */
export async function read(name) {
	return (await call("GET", address(name))).body;
}

function address(name) {
	return RECORDED ? `data/${name}.json` : `api/${name}`;
}

/** Starts a run; resolves to it. */
export async function begin(request) {
	return (await call("POST", "api/runs", request)).body;
}

export async function stop(id) {
	await call("DELETE", "api/runs/" + encodeURIComponent(id));
}

/** Follows a run, or reads a recorded one. Calls back when there is more of it, and when it is lost. */
export function follow(view, changed, lost) {
	const path = address("runs/" + encodeURIComponent(view.id));
	const run = new Run(view);
	if (RECORDED) {
		call("GET", path).then(({ body }) => {
			run.read(body);
			changed();
		}, lost);
		return run;
	}
	const events = new EventSource(path + "/events");
	run.close = () => events.close();
	// A connection made anew repeats the run from its beginning.
	events.addEventListener("open", () => run.clear());
	for (const name of Object.keys(MESSAGES)) {
		events.addEventListener(name, (event) => {
			run.add(name, JSON.parse(event.data));
			changed();
		});
	}
	events.addEventListener("error", lost);
	return run;
}
