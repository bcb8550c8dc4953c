import { createInterface } from "node:readline/promises";
import { PassThrough } from "node:stream";
import { createColors } from "picocolors";
import { describe, expect, it } from "vitest";
import { printPaged } from "../../src/shell/pager.js";

/** Creates a terminal that records its output; with a keyboard it is interactive. */
function screen(keyboard?: PassThrough) {
  const printed: string[] = [];
  const print = (text: string) => void printed.push(text);
  const input = keyboard ?? new PassThrough();
  return {
    printed,
    isInteractive: keyboard !== undefined,
    colors: createColors(false),
    size: () => ({ rows: 3, columns: 20 }),
    print,
    write: print,
    note: print,
    hasScreen: true,
    divert: () => () => {},
    openInput: () => createInterface({ input, output: new PassThrough() }),
  };
}

describe("printPaged", () => {
  const lines = ["one", "two", "three", "x".repeat(50)];

  it("prints one page at a time on an interactive terminal, and stops at q", async () => {
    const keyboard = new PassThrough();
    const terminal = screen(keyboard);
    const done = printPaged(lines, terminal);
    expect(terminal.printed).toEqual(["one", "two"]);
    keyboard.write("\n");
    await expect.poll(() => terminal.printed.length).toBe(4);
    keyboard.write("q\n");
    await done;
    expect(terminal.printed).toEqual(["one", "two", "three", "x".repeat(20)]);
  });

  it("breaks a styled line like a plain one, and keeps its styles", async () => {
    const keyboard = new PassThrough();
    const terminal = screen(keyboard);
    const { dim } = createColors(true);
    const done = printPaged([`${dim("with")} ${"x".repeat(40)}`], terminal);
    expect(terminal.printed).toEqual([`${dim("with")} ${"x".repeat(15)}`, "x".repeat(20)]);
    keyboard.write("\n");
    await done;
    expect(terminal.printed.slice(2)).toEqual(["x".repeat(5)]);
  });

  it("prints everything at once when the output is not a terminal", async () => {
    const terminal = screen();
    await printPaged(lines, terminal);
    expect(terminal.printed).toEqual(lines);
  });
});
