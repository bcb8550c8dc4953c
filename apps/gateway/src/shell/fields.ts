import { visible } from "@openclaw/messaging";
import { widthOf, wrapped } from "./table.js";
import type { Terminal } from "./terminal.js";

/** Name and value; a field without a value is left out. */
export type Field = readonly [name: string, value: string | undefined];

/**
 * Prints names and values, each on its own line, wrapped at the width of the terminal.
 * @param fields - fields in their order
 * @param terminal - terminal to print to
 */
export function printFields(fields: readonly Field[], terminal: Terminal): void {
  const start = Math.max(0, ...fields.map(([name]) => name.length)) + 2;
  for (const [name, value] of fields) {
    if (value === undefined) continue;
    const [first = "", ...more] = wrapped(visible(value), Math.max(1, widthOf(terminal) - start));
    terminal.print(`${terminal.colors.dim(name.padEnd(start))}${first}`);
    for (const line of more) terminal.print(`${" ".repeat(start)}${line}`);
  }
}
