import { sql } from "kysely";
import { MIGRATIONS, TABLE_NAMES, TABLES } from "../contexts.js";
import type { StoredTable } from "../database/schema.js";
import type { UnitOfWork } from "../database/unit-of-work.js";
import { fileIdentity } from "../engine/database-file.js";
import type { DatabasePlace } from "../engine/database-url.js";
import type { Engine } from "../engine/engine.js";
import { openEngine } from "../engine/open-engine.js";
import { CopyRefusedError } from "../errors.js";
import { migrate, migrationStates } from "../migrations/migrations.js";
import { forgetCommits } from "./commit-mark.js";
import { type CopyNote, type CopyPhase, readCopyNote, writeCopyNote } from "./copy-note.js";
import { ContentSum, haveSameRows, type TableContent } from "./table-content.js";

const BATCH = 1000;
/** SQLite accepts 32,766 parameters in one statement, PostgreSQL twice as many. */
const MOST_PARAMETERS = 30_000;

/** Source and target of a copy. */
export interface CopyOptions {
  readonly from: DatabasePlace;
  /**
   * Target; created when it does not exist. A target with rows that are not from the same copy is
   * rejected.
   */
  readonly to: DatabasePlace;
  /** Rows per transaction; default 1000. */
  readonly batch?: number | undefined;
  /**
   * Called after each transaction.
   * @param progress - rows of the table that are copied, and its total number of rows
   */
  onProgress?(progress: { table: StoredTable; copied: number; rows: number }): void;
  /** Copies what belongs to the database and is stored elsewhere. */
  readonly beside?: CopyBeside | undefined;
}

/** Copy of data that belongs to a database and is stored elsewhere; no host opens the target before it is copied too. */
export interface CopyBeside {
  /**
   * Checks the target, before anything is written.
   * @param progress - parts that earlier attempts of the same copy have copied
   * @throws CopyRefusedError
   */
  check(progress: Pick<CopyProgress, "phaseOf">): Promise<void>;
  /**
   * Copies and compares.
   * @param progress - parts that earlier attempts of the same copy have copied
   * @returns true when the copies are equal
   */
  copy(progress: CopyProgress): Promise<boolean>;
}

/** Progress of the parts of a copy that are stored elsewhere. It survives an interruption. */
export interface CopyProgress {
  /** Returns the phase of a part; undefined before its copy began. */
  phaseOf(part: string): CopyPhase | undefined;
  /**
   * Stores the phase of a part.
   * @param phase - its new phase
   */
  note(part: string, phase: CopyPhase): Promise<void>;
}

/** A table in both databases. */
export interface TableComparison {
  readonly table: StoredTable;
  readonly source: TableContent;
  readonly target: TableContent;
  readonly isEqual: boolean;
}

/** A column value as returned by both engines. */
type Cell = string | number | null | Uint8Array;
type Row = Readonly<Record<string, Cell>>;

/**
 * Copies every row of a database into another, then compares both (SCALE-026, SCALE-027). An
 * interrupted copy resumes at its last committed row; until it is complete, no host opens the
 * target. Nothing else may write to either database in the meantime.
 * @param options - source and target
 * @returns every table with its content in both
 * @throws CopyRefusedError when the schema of the source is outdated, or the target contains other
 *   rows
 * @throws StoreUnavailableError when one of them cannot be read or written
 */
export async function copyDatabase({
  from,
  to,
  batch = BATCH,
  onProgress,
  beside,
}: CopyOptions): Promise<readonly TableComparison[]> {
  await using source = await openSource(from);
  await using target = await openTarget(to, source.engine, beside);
  for (const table of TABLE_NAMES) {
    const rows = await countRows(table, source.engine.unit);
    let copied = await countRows(table, target.engine.unit);
    let last = await keyAt(table, copied, source.engine.unit);
    while (copied < rows) {
      const next = await readRows(table, last, batch, source.engine.unit);
      if (next.length === 0) break;
      await target.engine.unit.atomic((unit) => writeRows(table, next, unit));
      copied += next.length;
      last = next.at(-1);
      onProgress?.({ table, copied, rows });
    }
  }
  await continueNumbers(target.engine);
  const progress = await progressOf(target.engine, source.engine.name);
  const isBesideEqual = beside === undefined || (await beside.copy(progress));
  const tables = await compareTables(source.engine, target.engine);
  if (isBesideEqual && tables.every(({ isEqual }) => isEqual)) {
    await noteCopy(target.engine, { source: source.engine.name, state: "complete" });
  }
  return tables;
}

/**
 * Returns the number of rows in each table of a database, without writing anything.
 * @throws CopyRefusedError, StoreUnavailableError as {@link copyDatabase}
 */
export async function countDatabase(
  from: DatabasePlace,
): Promise<readonly { table: StoredTable; rows: number }[]> {
  await using source = await openSource(from);
  const counted = [];
  for (const table of TABLE_NAMES) {
    counted.push({ table, rows: await countRows(table, source.engine.unit) });
  }
  return counted;
}

interface OpenDatabase extends AsyncDisposable {
  readonly engine: Engine;
}

async function open(place: DatabasePlace): Promise<OpenDatabase> {
  const engine = await openEngine(place, {
    durability: "power",
    now: Date.now,
    exclusive: true,
  });
  return {
    engine,
    async [Symbol.asyncDispose]() {
      await engine.unit.close();
      await engine.release();
    },
  };
}

async function openSource(place: DatabasePlace): Promise<OpenDatabase> {
  if (place.file !== undefined && (await fileIdentity(place.file)) === undefined) {
    throw new CopyRefusedError(
      place.file,
      "the file does not exist",
      "use the path of the database to copy",
    );
  }
  const source = await open(place);
  try {
    const { unit, words, name } = source.engine;
    const behind = (await migrationStates(unit, words, MIGRATIONS)).find(
      ({ state }) => state !== "applied",
    );
    if (behind === undefined) return source;
    throw new CopyRefusedError(
      name,
      `its schema is not that of this version (migration ${behind.name} is ${behind.state})`,
      "start this version's gateway with it once, stop it, and copy again",
    );
  } catch (error) {
    await source[Symbol.asyncDispose]();
    throw error;
  }
}

async function openTarget(
  place: DatabasePlace,
  source: Engine,
  beside: CopyBeside | undefined,
): Promise<OpenDatabase> {
  if ((place.file ?? place.name) === source.name) {
    throw new CopyRefusedError(
      source.name,
      "the source and the target are the same",
      "use another target",
    );
  }
  const target = await open(place);
  try {
    const { unit, name, words, own } = target.engine;
    // Of a database that was here before.
    if (own?.isNew === true) forgetCommits(own.file);
    await migrate(unit, name, words, MIGRATIONS);
    await beside?.check(await progressOf(target.engine, source.name));
    await beginCopy(target.engine, source.name);
    return target;
  } catch (error) {
    await target[Symbol.asyncDispose]();
    throw error;
  }
}

/** Checks that the target contains only rows that the same copy has written before. */
async function beginCopy({ unit, name }: Engine, source: string): Promise<void> {
  await unit.atomic(async (inside) => {
    const note = await readCopyNote(inside);
    if (note?.state === "copying") {
      if (note.source === source) return;
      const problem = `it contains an incomplete copy from ${note.source}`;
      throw new CopyRefusedError(name, problem, "finish that copy, or use an empty database");
    }
    for (const table of TABLE_NAMES) {
      if (TABLES[table].isSeeded === true) {
        await sql`delete from ${sql.table(table)}`.execute(inside.query());
      } else if ((await countRows(table, inside)) > 0) {
        throw new CopyRefusedError(
          name,
          `it already has rows in ${table}`,
          "use an empty database",
        );
      }
    }
    await writeCopyNote(inside, { source, state: "copying" });
  });
}

async function noteCopy({ unit }: Engine, note: CopyNote): Promise<void> {
  await unit.atomic((inside) => writeCopyNote(inside, note));
}

async function progressOf(target: Engine, source: string): Promise<CopyProgress> {
  const parts = { ...(await readCopyNote(target.unit))?.parts };
  return {
    phaseOf: (part) => (Object.hasOwn(parts, part) ? parts[part] : undefined),
    async note(part, phase) {
      parts[part] = phase;
      await noteCopy(target, { source, state: "copying", parts });
    },
  };
}

/** Continues the row numbers after those of the copied rows; SQLite does this automatically. */
async function continueNumbers({ dialect, unit }: Engine): Promise<void> {
  if (dialect === "sqlite") return;
  const { continueNumbering } = await import("../engine/postgres/postgres.js");
  for (const table of TABLE_NAMES) {
    const { key, isNumbered } = TABLES[table];
    const [column] = key;
    if (isNumbered === true && column !== undefined) await continueNumbering(unit, table, column);
  }
}

async function compareTables(source: Engine, target: Engine): Promise<readonly TableComparison[]> {
  const compared: TableComparison[] = [];
  for (const table of TABLE_NAMES) {
    const content = await contentOf(table, source.unit);
    const copy = await contentOf(table, target.unit);
    compared.push({ table, source: content, target: copy, isEqual: haveSameRows(content, copy) });
  }
  return compared;
}

async function contentOf(table: StoredTable, unit: UnitOfWork): Promise<TableContent> {
  const sum = new ContentSum();
  let last: Row | undefined;
  for (;;) {
    const next = await readRows(table, last, BATCH, unit);
    sum.add(next);
    last = next.at(-1);
    if (next.length < BATCH) return sum.content();
  }
}

async function countRows(table: StoredTable, unit: UnitOfWork): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from ${sql.table(table)}`.execute(unit.query());
  return Number(rows[0]?.count ?? 0);
}

/** Returns the key of the last row of the next batch: rows are copied in the order of their keys. */
async function keyAt(
  table: StoredTable,
  count: number,
  unit: UnitOfWork,
): Promise<Row | undefined> {
  if (count === 0) return undefined;
  const { rows } = await sql<Row>`
    select * from ${sql.table(table)} order by ${keyOf(table)} limit 1 offset ${count - 1}
  `.execute(unit.query());
  return rows[0];
}

async function readRows(
  table: StoredTable,
  after: Row | undefined,
  limit: number,
  unit: UnitOfWork,
): Promise<readonly Row[]> {
  const { key } = TABLES[table];
  const behind =
    after === undefined
      ? sql``
      : sql`where (${keyOf(table)}) > (${sql.join(key.map((column) => after[column]))})`;
  const { rows } = await sql<Row>`
    select * from ${sql.table(table)} ${behind} order by ${keyOf(table)} limit ${limit}
  `.execute(unit.query());
  return rows;
}

function keyOf(table: StoredTable) {
  return sql.join(TABLES[table].key.map((column) => sql.ref(column)));
}

async function writeRows(
  table: StoredTable,
  rows: readonly Row[],
  unit: UnitOfWork,
): Promise<void> {
  const columns = Object.keys(rows[0] ?? {});
  const most = Math.max(1, Math.floor(MOST_PARAMETERS / Math.max(1, columns.length)));
  for (let from = 0; from < rows.length; from += most) {
    const values = rows
      .slice(from, from + most)
      .map((row) => sql`(${sql.join(columns.map((column) => row[column]))})`);
    const names = sql.join(columns.map((column) => sql.ref(column)));
    await sql`insert into ${sql.table(table)} (${names}) values ${sql.join(values)}`.execute(
      unit.query(),
    );
  }
}
