import { writeError } from "./errors.js";
import type { Connection } from "./open.js";

export type Value = string | number | null | Uint8Array;

/** What both writers need to change rows. Errors of SQLite become {@link RecordError} where a person can act on them. */
export class Statements {
	readonly #database: Connection;
	readonly #path: string;

	constructor(database: Connection, path: string) {
		this.#database = database;
		this.#path = path;
	}

	/** Runs `action` as one transaction, on the disk when it returns. */
	write<T>(action: () => T): T {
		try {
			return this.#database.transaction(action).immediate();
		} catch (error) {
			throw writeError(error, this.#path);
		}
	}

	run(sql: string, ...values: readonly Value[]): void {
		this.#database.prepare(sql).run(...values);
	}

	/** Gives the new row's id. */
	insert(table: string, row: Readonly<Record<string, Value>>): number {
		const names = Object.keys(row);
		const sql = `INSERT INTO ${table} (${names.join(", ")}) VALUES (${names.map(() => "?").join(", ")})`;
		return Number(this.#database.prepare(sql).run(...Object.values(row)).lastInsertRowid);
	}

	update(table: string, id: number, row: Readonly<Record<string, Value>>): void {
		const sets = Object.keys(row).map((name) => `${name} = ?`);
		this.run(`UPDATE ${table} SET ${sets.join(", ")} WHERE id = ?`, ...Object.values(row), id);
	}
}

/** Now, ISO 8601 in UTC. */
export function now(): string {
	return new Date().toISOString();
}
