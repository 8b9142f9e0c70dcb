/** A request of EC2's Query protocol: dotted names, numbered from 1. */
export class Query {
	readonly #fields: URLSearchParams;

	constructor(body: string) {
		this.#fields = new URLSearchParams(body);
	}

	get(name: string): string {
		return this.#fields.get(name) ?? "";
	}

	/** `prefix.1`, `prefix.2`, … as far as they go; `within` is what stands below each number. */
	list(prefix: string, within = ""): string[] {
		const found: string[] = [];
		for (let at = 1; ; at++) {
			const value = this.#fields.get(`${prefix}.${at}${within}`);
			if (value === null) return found;
			found.push(value);
		}
	}

	/** Filter names to their values. */
	filters(): Map<string, string[]> {
		const names = this.list("Filter", ".Name");
		return new Map(names.map((name, at) => [name, this.list(`Filter.${at + 1}.Value`)]));
	}

	/** The tags that a request gives to one type of resource. */
	tags(type: string): Map<string, string> {
		const at = this.list("TagSpecification", ".ResourceType").indexOf(type) + 1;
		const keys = this.list(`TagSpecification.${at}.Tag`, ".Key");
		const values = this.list(`TagSpecification.${at}.Tag`, ".Value");
		return new Map(keys.map((key, index) => [key, values[index] ?? ""]));
	}
}

type Xml = string | number | boolean | readonly Xml[] | { readonly [name: string]: Xml };

const escaped = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

/** Lists become `<item>`s, as everywhere in EC2's answers. */
export function toXml(value: Xml): string {
	if (Array.isArray(value)) return value.map((item) => `<item>${toXml(item)}</item>`).join("");
	if (typeof value !== "object") return escaped(String(value));
	return Object.entries(value)
		.map(([name, inner]) => `<${name}>${toXml(inner)}</${name}>`)
		.join("");
}
export type { Xml };
