/** What the n-th request sends. */
export interface BodySource {
	/** Which of the given bodies request `request` takes; 0 where there are none. */
	indexOf(request: number): number;
	/** Its bytes; null: the request has no body. */
	bytes(request: number): Buffer | null;
}

/** In a template this is replaced by the number of the request, from 0 on. */
export const INDEX_MARK = "{{index}}";

/**
 * Bodies used in turn from `offset` on. They are encoded once, not at every send; only a body with the mark
 * `{{index}}` in it, where `template` asks for that, is put together when it is sent.
 */
export function bodySource(bodies: readonly string[], offset: number, template = false): BodySource {
	const count = bodies.length;
	if (count === 0) return { indexOf: () => 0, bytes: () => null };
	const encoded = bodies.map((body) => Buffer.from(body));
	const parts = bodies.map((body) => (template && body.includes(INDEX_MARK) ? body.split(INDEX_MARK) : null));
	const indexOf = (request: number) => (offset + request) % count;
	return {
		indexOf,
		bytes(request) {
			const index = indexOf(request);
			const pieces = parts[index];
			return pieces ? Buffer.from(pieces.join(String(request))) : (encoded[index] ?? null);
		},
	};
}
