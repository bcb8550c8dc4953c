import { describe, expect, it } from "vitest";
import { chunkTextWithMode } from "../../../src/channels/text/chunks.js";
import {
  buildMentionRegexes,
  matchesMentionPatterns,
} from "../../../src/channels/text/mentions.js";
import { resolveTextChunkLimit } from "../../../src/channels/text/settings.js";
import { convertMarkdownTables } from "../../../src/channels/text/tables.js";

const TABLE = "Before\n| Name | Age |\n|---|---|\n| Ann | 7 |\nAfter";

describe("formatting of older channel plugins", () => {
  it("[PLUG-150] show tables as lists or aligned, outside of code", () => {
    expect(convertMarkdownTables(TABLE, "bullets")).toBe("Before\n- Ann\n  - Age: 7\nAfter");
    expect(convertMarkdownTables(TABLE, "code")).toBe(
      "Before\n```\nName  Age\n----  ---\nAnn   7\n```\nAfter",
    );
    const code = `\`\`\`\n${TABLE}\n\`\`\``;
    expect(convertMarkdownTables(code, "code")).toBe(code);
    expect(convertMarkdownTables(TABLE, "off")).toBe(TABLE);
  });

  it("[PLUG-150] are divided by the limit of the account", () => {
    const cfg = {
      channels: { lines: { textChunkLimit: 9, accounts: { a: { textChunkLimit: 5 } } } },
    };
    expect(resolveTextChunkLimit(cfg, "lines", "a")).toBe(5);
    expect(resolveTextChunkLimit({}, "lines", "a", { fallbackLimit: 7 })).toBe(7);
    expect(chunkTextWithMode("one\n\ntwo three", 9, "newline")).toEqual(["one", "two three"]);
    expect(chunkTextWithMode("one\n\ntwo", 20, "length")).toEqual(["one\n\ntwo"]);
  });

  it("[PLUG-150] mention the bot by pattern and by name; a wrong pattern mentions no one", () => {
    const cfg = {
      agents: { main: { name: "Claw" } },
      messages: { groupChat: { mentionPatterns: ["(", "^hey"] } },
    };
    const patterns = buildMentionRegexes(cfg);
    const found = ["hey you", "ask @claw", "hello"].map((text) =>
      matchesMentionPatterns(text, patterns),
    );
    expect(found).toEqual([true, true, false]);
  });
});
