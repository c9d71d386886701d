import { element, text } from "./page.js";
import { moment, who } from "./story.js";

const MOST_CALLS = 4;

/** The code of a strategy: its class, the method of the customer that it calls, and its scripts with the numbers they ran with. */
export function code(strategy, run) {
	const calls = run?.request.strategy === strategy.id ? run.scripts : [];
	const parts = [[strategy.sourceFile, withoutImports(strategy.source ?? "")]];
	if (strategy.buy) {
		parts.push([`Customer.${strategy.buy.name}()`, strategy.buy.source]);
	}
	// A narrow page would be all code.
	const wide = matchMedia("(min-width: 48rem)").matches;
	return [
		...parts.map(([name, source], index) => part(name, source, wide && index === 0)),
		...(strategy.scripts ?? []).map(({ name, source }) => part(name, source, wide, calls.filter((each) => each.name === name))),
	];
}

function part(name, source, open, calls = []) {
	const pre = element("pre", { tabIndex: 0, role: "region", "aria-label": name }, element("code", {}, source.trim()));
	return element("details", { open, className: "code" }, element("summary", {}, element("code", {}, name)), pre,
		calls.length === 0 ? null : element("p", { className: "hint" }, text("code.calls")),
		calls.length === 0 ? null : element("ul", { className: "calls" }, ...calls.slice(0, MOST_CALLS).map(call)));
}

function call({ at, node, caller, name, keys, args, result }) {
	return element("li", {}, element("time", {}, moment(at)), " ", who({ node, caller }), ": ",
		element("code", {}, `${name} KEYS[${keys.join(", ")}] ARGV[${args.join(", ")}] → ${result}`));
}

function withoutImports(source) {
	return source.replace(/^(package|import) .*\n/gm, "");
}
