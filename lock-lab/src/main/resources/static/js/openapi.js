import { byId, call, element, problem, start } from "./page.js";

function typeOf(schema) {
	if (!schema) {
		return "";
	}
	if (schema.$ref) {
		const name = schema.$ref.replace(/.*\//, "");
		return element("a", { href: "#" + name }, name);
	}
	return schema.type === "array" ? element("span", {}, "array of ", typeOf(schema.items)) : schema.type ?? "";
}

function table(head, rows) {
	return element("div", { className: "scroll", tabIndex: 0 },
		element("table", {},
			element("thead", {}, element("tr", {}, ...head.map((name) => element("th", { scope: "col" }, name)))),
			element("tbody", {}, ...rows.map((row) => element("tr", {}, ...row.map((cell) => element("td", {}, cell)))))));
}

function operation(path, method, details) {
	const parameters = (details.parameters ?? []).map((each) => [each.name, each.in, each.description]);
	if (details.requestBody) {
		parameters.push(["body", "body", typeOf(details.requestBody.content["application/json"].schema)]);
	}
	const answers = Object.entries(details.responses).map(([status, answer]) =>
		[status, answer.description, typeOf(Object.values(answer.content ?? {})[0]?.schema)]);
	return element("section", {},
		element("h3", {}, element("code", {}, method.toUpperCase() + " " + path)),
		element("p", {}, details.summary),
		parameters.length > 0 ? table(["Parameter", "In", "Meaning"], parameters) : null,
		table(["Status", "Meaning", "Body"], answers));
}

function schema(name, details) {
	return element("section", { id: name },
		element("h3", {}, name),
		table(["Field", "Type"], Object.entries(details.properties).map(([field, type]) => [field, typeOf(type)])));
}

start();
call("GET", "openapi.json").then(({ body }) => {
	byId("about").textContent = body.info.description;
	byId("operations").replaceChildren(...Object.entries(body.paths).flatMap(([path, methods]) =>
		Object.entries(methods).map(([method, details]) => operation(path, method, details))));
	byId("schemas").replaceChildren(...Object.entries(body.components.schemas).map(([name, details]) => schema(name, details)));
}, problem);
