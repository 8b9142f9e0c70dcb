/** Markdown as it is read: without the spans that carry keys, and without its marks. */
export function read(markdown: string): string {
	return markdown.replace(/<[^>]+>/g, "").replace(/\*\*|`/g, "");
}
