import { TEXTS } from "./texts.js";

/** What the pages share: language, theme, words, numbers, elements and calls. Text from the server is never parsed as HTML. */

const listeners = [];
let language = chooseLanguage();

function chooseLanguage() {
	const asked = new URLSearchParams(location.search).get("lang") ?? stored("language") ?? navigator.language ?? "en";
	return asked.toLowerCase().startsWith("zh") ? "zh" : "en";
}

function stored(name) {
	try {
		return localStorage.getItem(name);
	} catch {
		return null;
	}
}

function store(name, value) {
	try {
		localStorage.setItem(name, value);
	} catch {
		// A browser without storage forgets the choice.
	}
}

export function currentLanguage() {
	return language;
}

/** A text of the page, with its {placeholders} filled. */
export function text(name, values = {}) {
	const found = TEXTS[language][name] ?? TEXTS.en[name] ?? name;
	return found.replace(/\{(\w+)\}/g, (whole, key) => (key in values ? String(values[key]) : whole));
}

/** A text that the server sent in both languages. */
export function say(both) {
	return both?.[language] ?? both?.en ?? "";
}

export function number(value, digits = 0) {
	return value === null || value === undefined || Number.isNaN(value) ? "–"
		: new Intl.NumberFormat(language, { maximumFractionDigits: digits }).format(value);
}

export function byId(id) {
	return document.getElementById(id);
}

/** An element: properties as of the DOM, children as elements or plain text. */
export function element(name, properties = {}, ...children) {
	const made = document.createElement(name);
	for (const [key, value] of Object.entries(properties)) {
		if (key === "data") {
			Object.assign(made.dataset, value);
		} else if (key.startsWith("aria-") || key === "role") {
			made.setAttribute(key, value);
		} else {
			made[key] = value;
		}
	}
	made.append(...children.filter((child) => child !== null && child !== undefined));
	return made;
}

/** A text in which [[term|words]] are explained: its nodes. */
export function rich(words) {
	return words.split(/(\[\[.+?\]\])/).map((part) => {
		const [, term, shown] = /^\[\[(\w+)\|(.+)\]\]$/.exec(part) ?? [];
		return term ? explained(term, shown) : part;
	});
}

let explanations = 0;

function explained(term, shown) {
	const id = `term-${term}-${++explanations}`;
	const button = element("button", { type: "button", className: "term" }, shown);
	button.setAttribute("popovertarget", id);
	const box = element("span", { id, className: "explained", role: "note" }, element("strong", {}, shown), " ", text("term." + term));
	box.setAttribute("popover", "");
	return element("span", {}, button, box);
}

/** A link to a page of the documentation. */
export function docs(path, words) {
	return element("a", { href: "https://github.com/distlock/lock-spring-boot-starter/blob/main/" + path }, words);
}

export class Refused extends Error {
	constructor(response, problem) {
		super(problem.detail ?? problem.title ?? response.statusText);
		this.status = response.status;
		this.errors = problem.errors ?? [];
	}
}

/** Calls the server. Resolves to the body of the answer; rejects with Refused, or a TypeError if nobody answers. */
export async function call(method, path, body) {
	const response = await fetch(path, {
		method,
		headers: body === undefined ? {} : { "Content-Type": "application/json" },
		body: body === undefined ? undefined : JSON.stringify(body),
	});
	const answer = await response.text();
	let parsed = {};
	try {
		parsed = answer === "" ? {} : JSON.parse(answer);
	} catch {
		parsed = { detail: answer.slice(0, 200) };
	}
	if (!response.ok) {
		throw new Refused(response, parsed);
	}
	return { body: parsed };
}

export function problem(error) {
	const place = byId("problem");
	place.hidden = error === null;
	place.textContent = error === null ? ""
		: error instanceof Refused ? text("error", { detail: error.message }) : text("unreachable");
}

/** Runs a function now and whenever the language or the theme changes. */
export function onChange(listener) {
	listeners.push(listener);
}

function applyTexts() {
	document.documentElement.lang = language === "zh" ? "zh-CN" : "en";
	for (const node of document.querySelectorAll("[data-text]")) {
		node.textContent = text(node.dataset.text);
	}
	for (const node of document.querySelectorAll("[data-label]")) {
		node.setAttribute("aria-label", text(node.dataset.label));
	}
	for (const node of document.querySelectorAll("[data-hint]")) {
		node.dataset.empty = text(node.dataset.hint);
	}
	document.title = document.querySelector("h1").textContent;
}

function changed() {
	applyTexts();
	listeners.forEach((listener) => listener());
}

const themes = ["auto", "light", "dark"];

export function start() {
	const languages = byId("language");
	languages.value = language;
	languages.addEventListener("change", () => {
		language = languages.value;
		store("language", language);
		changed();
	});
	const theme = byId("theme");
	theme.value = themes.includes(stored("theme")) ? stored("theme") : "auto";
	const applyTheme = () => {
		document.documentElement.dataset.theme = theme.value;
	};
	theme.addEventListener("change", () => {
		store("theme", theme.value);
		applyTheme();
		changed();
	});
	matchMedia("(prefers-color-scheme: dark)").addEventListener("change", changed);
	applyTheme();
	changed();
}
