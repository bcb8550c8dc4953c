import type { SqlValue } from "@openclaw/plugin-sdk/store";
import type { MemoryDatabase } from "../database/memory-database.js";
import { isDay } from "../documents/day.js";
import { inFolder } from "../documents/documents.js";
import { normaliseFolder } from "../documents/path.js";
import { InvalidParameterError } from "../errors.js";

/** Limits a search to some documents (MEM-015). */
export interface SearchFilter {
  /** Paths of folders or documents; any of them. */
  readonly paths?: readonly string[] | undefined;
  /** Name of a space. */
  readonly space?: string | undefined;
  /** Tags, all of which a document must have. */
  readonly tags?: readonly string[] | undefined;
  /** First and last date, in the form YYYY-MM-DD, of the date that a document is about, else of its last change. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/** Condition of a statement, with the parameters it uses. */
export interface Condition {
  readonly sql: string;
  readonly params: readonly SqlValue[];
}

/**
 * Returns the condition of a filter for the documents `d`.
 * @param database - the memory's database
 * @param user - user whose spaces are meant
 * @param first - number of the first parameter
 * @throws InvalidParameterError
 */
export function filterCondition(
  filter: SearchFilter,
  database: Pick<MemoryDatabase, "dialect">,
  user: string,
  first: number,
): Condition {
  const params: SqlValue[] = [];
  const add = (value: SqlValue) => {
    params.push(value);
    return `$${first + params.length - 1}`;
  };
  const conditions: string[] = [];
  const folders = (filter.paths ?? []).map((path) => normaliseFolder(path, "path"));
  if (folders.length > 0 && !folders.includes("")) {
    const parts = folders.map((folder) => {
      const part = inFolder(folder, first + params.length);
      params.push(...part.params);
      return part.condition;
    });
    conditions.push(`(${parts.join(" or ")})`);
  }
  if (filter.space !== undefined) {
    conditions.push(
      `exists (select 1 from space_documents sd join spaces s on s.id = sd.space
        where sd.document = d.id and s.user_id = ${add(user)} and s.name = ${add(filter.space)})`,
    );
  }
  for (const tag of filter.tags ?? []) {
    conditions.push(
      database.dialect === "sqlite"
        ? `exists (select 1 from json_each(d.tags) where value = ${add(tag)})`
        : `d.tags @> ${add(JSON.stringify([tag]))}::jsonb`,
    );
  }
  const updated =
    database.dialect === "sqlite"
      ? "substr(d.updated_at, 1, 10)"
      : "to_char(d.updated_at at time zone 'UTC', 'YYYY-MM-DD')";
  const day = `coalesce(d.event_date, ${updated})`;
  if (filter.from !== undefined)
    conditions.push(`${day} >= ${add(checkedDay("from", filter.from))}`);
  if (filter.to !== undefined) conditions.push(`${day} <= ${add(checkedDay("to", filter.to))}`);
  return { sql: conditions.map((condition) => ` and ${condition}`).join(""), params };
}

function checkedDay(field: string, text: string): string {
  if (isDay(text)) return text;
  throw new InvalidParameterError(field, `expected a date such as 2026-03-04, got ${text}`);
}
