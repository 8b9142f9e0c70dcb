/**
 * The notebook format 4.5 in memory. Texts are whole strings here and lists of lines on disk.
 * Keys this program does not know are kept as they are.
 *
 * @see https://nbformat.readthedocs.io/en/latest/format_description.html
 */
export interface Notebook {
	cells: Cell[];
	metadata: NotebookMetadata;
	nbformat: number;
	nbformat_minor: number;
}

export interface NotebookMetadata {
	kernelspec?:
		| { name: string; display_name: string; language?: string | undefined; [key: string]: unknown }
		| undefined;
	language_info?: { name: string; [key: string]: unknown } | undefined;
	[key: string]: unknown;
}

export interface CellMetadata {
	tags?: string[] | undefined;
	[key: string]: unknown;
}

interface CellBase {
	id: string;
	metadata: CellMetadata;
	source: string;
	attachments?: Record<string, Record<string, unknown>> | undefined;
}

export interface CodeCell extends CellBase {
	cell_type: "code";
	execution_count: number | null;
	outputs: Output[];
}

export interface TextCell extends CellBase {
	cell_type: "markdown" | "raw";
}

export type Cell = CodeCell | TextCell;

export interface StreamOutput {
	output_type: "stream";
	name: "stdout" | "stderr";
	text: string;
}

/** `data` by MIME type: text as one string, JSON types as they are, binary types as base64. */
export interface DisplayOutput {
	output_type: "display_data";
	data: Record<string, unknown>;
	metadata: Record<string, unknown>;
}

export interface ResultOutput {
	output_type: "execute_result";
	data: Record<string, unknown>;
	metadata: Record<string, unknown>;
	execution_count: number | null;
}

export interface ErrorOutput {
	output_type: "error";
	ename: string;
	evalue: string;
	traceback: string[];
}

export type Output = StreamOutput | DisplayOutput | ResultOutput | ErrorOutput;

export function hasTag(cell: Cell, tag: string): boolean {
	return cell.metadata.tags?.includes(tag) === true;
}
