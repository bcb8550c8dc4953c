import { describe, expect, it } from "vitest";
import { parseCommand } from "../../../src/index.js";

describe("parseCommand bounds", () => {
  it("[APPR-045] reads at most 256 commands, also through wrappers, functions and lists", async () => {
    for (const source of [
      "a;".repeat(8000),
      `a${"|a".repeat(8000)}`,
      `parallel echo ::: ${"a ".repeat(8000)}`,
      `find . ${"-exec a ; ".repeat(1600)}`,
      `alias ${"a=b ".repeat(4000)}`,
      "f(){ f;};".repeat(1800),
      `cat ${"<(a) ".repeat(3000)}`,
    ]) {
      const { commands, definitions, complete } = await parseCommand(source);
      expect(commands.length, source.slice(0, 20)).toBeLessThanOrEqual(256);
      expect(definitions.length, source.slice(0, 20)).toBeLessThanOrEqual(256);
      expect(complete, source.slice(0, 20)).toBe(false);
    }
  });

  it("[APPR-045] marks a command with too many words as incomplete", async () => {
    expect((await parseCommand(`ls ${"a ".repeat(2048)}`)).complete).toBe(true);
    expect((await parseCommand(`ls ${"a ".repeat(2049)}`)).complete).toBe(false);
    // Each of these words may be a program that runs the words after it.
    expect((await parseCommand(`ls ${"rm ".repeat(32)}`)).complete).toBe(true);
    expect((await parseCommand(`ls ${"rm ".repeat(33)} -rf /`)).complete).toBe(false);
  });

  it("[APPR-045] does not read a command above 16 KiB", async () => {
    const { commands, complete } = await parseCommand(`ls ${"x".repeat(16_384)}`);
    expect({ commands, complete }).toEqual({ commands: [], complete: false });
  });
});
