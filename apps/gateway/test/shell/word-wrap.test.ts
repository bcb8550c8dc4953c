import { describe, expect, it } from "vitest";
import { chatScreen } from "../../src/chat/screen.js";
import { WordWrap, wrapAtWords } from "../../src/shell/word-wrap.js";
import { createScreen } from "../support/screen.js";

const TEXT = "The quick brown fox jumps over the lazy dog, again and again, until evening.";

describe("text in plain lines", () => {
  it.each([20, 40])("[GW-688] is wrapped at words while it streams, at %i columns", (columns) => {
    for (const size of [1, 3, 7, 1000]) {
      let written = "";
      const wrap = new WordWrap(
        (text) => {
          written += text;
        },
        () => columns,
      );
      for (let at = 0; at < TEXT.length; at += size) wrap.write(TEXT.slice(at, at + size));
      wrap.flush();
      const lines = written.split("\n");
      expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(columns);
      expect(lines.join(" ")).toBe(TEXT);
      expect(lines.length).toBe(wrapAtWords(TEXT, columns).split("\n").length);
    }
  });

  it("[GW-688] keeps code between fences, long words, indents and colours as they are", () => {
    const code = "```sh\necho a very long line of code that is copied\n```";
    expect(wrapAtWords(code, 20)).toBe(code);
    const url = `https://example.com/${"a".repeat(40)}`;
    expect(wrapAtWords(`see ${url} now`, 20)).toBe(`see\n${url} now`);
    expect(wrapAtWords("  - one two three", 12)).toBe("  - one two\nthree");
    expect(wrapAtWords("\u001b[2mone two\u001b[22m three", 13)).toBe(
      "\u001b[2mone two\u001b[22m three",
    );
    expect(wrapAtWords("漢字 漢字 漢字", 10)).toBe("漢字 漢字\n漢字");
    expect(wrapAtWords(TEXT, undefined)).toBe(TEXT);
  });

  it("[GW-688] is wrapped in replies and notes of a chat without a screen, and not in a pipe", () => {
    for (const [isInteractive, longest] of [
      [true, 30],
      [false, TEXT.length],
    ] as const) {
      const { terminal } = createScreen();
      let shown = "";
      const add = (text: string) => {
        shown += text;
      };
      const size = () => ({ rows: 10, columns: 30 });
      const screen = chatScreen({
        ...{ ...terminal, isInteractive, size, write: add },
        note: (line) => add(`${line}\n`),
      });
      for (const word of TEXT.split(/(?<= )/)) screen.show({ type: "text", delta: word });
      screen.finish(TEXT);
      screen.note(TEXT);
      const lines = shown.trimEnd().split("\n");
      expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(longest);
      expect(lines.join(" ")).toBe(`${TEXT} ${TEXT}`);
    }
  });
});
