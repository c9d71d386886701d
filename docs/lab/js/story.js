import { number, text } from "./page.js";

/** What happened in a run, in words. */

/** A moment of a run, on the scale of the timeline. */
export function moment(at) {
	return (at / 1000).toLocaleString("en", { minimumFractionDigits: 3, maximumFractionDigits: 3, useGrouping: false }) + " s";
}

/** Who a note is about. */
export function who({ node, caller }) {
	return caller === null || caller === undefined ? node ?? "" : text(caller < 0 ? "story.timer" : "story.who", { node: node ?? "", caller });
}

/**
 * A sentence for a note. Its form can depend on a value: the first text that exists of "story.<kind>.<value>", and "story.<kind>" where none does.
 */
export function sentence(note, names, run) {
	const values = withShortToken(note, run);
	for (const key of ["value", "over", "read", "items", "left", "waiting"]) {
		if (key in values) {
			values[key] = number(Number(values[key]));
		}
	}
	return text(form(note, names.hasLock(run.request.strategy)), {
		...values, who: who(note), node: note.node ?? "", fault: names.fault(values.fault),
		owner: owner(values.owner), other: who({ node: values.byNode ?? values.firstNode, caller: values.by ?? values.firstCaller }),
		after: number(Number(values.afterMillis ?? 0) / 1000, 1), ttl: number(Number(values.ttl ?? 0) / 1000, 1),
	}).trim();
}

/** The value of a lock, "1:7" for caller 7 on node 1, in words. */
function owner(value) {
	const [, node, caller] = /^(\d+):(\d+)/.exec(value ?? "") ?? [];
	return node ? who({ node: "node-" + node, caller: Number(caller) }) : value ?? "";
}

/** The short words of a note beside its arrow in the diagram. */
export function label(note, run) {
	const name = note.kind === "granted" && note.values?.token ? "arrow.granted.token" : "arrow." + note.kind;
	return text(name, withShortToken(note, run));
}

/** Tokens of real locks are long; the digits that all of a run have in common tell nothing. */
function withShortToken({ values = {} }, run) {
	const tokens = run.story.map((each) => each.values?.token).filter(Boolean);
	let common = 0;
	while (tokens.length > 1 && common < tokens[0].length - 2 && tokens.every((token) => token[common] === tokens[0][common])) {
		common++;
	}
	return values.token && common > 2 ? { ...values, token: "…" + values.token.slice(common) } : { ...values };
}

function form({ kind, values = {} }, lock) {
	const key = { "lease-ended": values.while, stuck: values.ownerState, "fault-began": values.fault, "fault-ended": values.fault }[kind]
		?? (kind === "granted" ? (values.token ? "token" : lock ? "lock" : null) : null);
	const special = `story.${kind}.${key}`;
	return key && text(special) !== special ? special : "story." + kind;
}
