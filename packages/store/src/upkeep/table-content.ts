import { sha256 } from "@openclaw/foundation";

/**
 * Content of a table: the number of rows, and one checksum over all of them, independent of their
 * order.
 */
export interface TableContent {
  readonly rows: number;
  /** 64 hexadecimal digits. */
  readonly checksum: string;
}

/** Row with the values that both engines return. */
export type ComparedRow = Readonly<
  Record<string, string | number | bigint | boolean | null | Uint8Array>
>;

/** Sums the digests of the rows: the sum does not depend on their order, and detects a duplicate row. */
export class ContentSum {
  #rows = 0;
  #sum = 0n;

  /** @param rows - more rows of the table */
  add(rows: readonly ComparedRow[]): void {
    for (const row of rows) this.#sum += digestOf(row);
    this.#rows += rows.length;
  }

  /** Returns the content of all rows. */
  content(): TableContent {
    const checksum = BigInt.asUintN(256, this.#sum).toString(16).padStart(64, "0");
    return { rows: this.#rows, checksum };
  }
}

/**
 * Returns true when two tables have the same rows.
 * @param other - content of the other one
 */
export function haveSameRows(one: TableContent, other: TableContent): boolean {
  return one.rows === other.rows && one.checksum === other.checksum;
}

function digestOf(row: ComparedRow): bigint {
  const cells = Object.entries(row)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([column, cell]) => [column, printed(cell)]);
  return BigInt(`0x${sha256(JSON.stringify(cells))}`);
}

function printed(cell: ComparedRow[string]): unknown {
  if (cell instanceof Uint8Array) return [...cell];
  return typeof cell === "bigint" ? { integer: String(cell) } : cell;
}
