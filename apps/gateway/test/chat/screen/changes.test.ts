import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { startChatPlace } from "../../support/virtual-chat.js";
import { KEYS } from "../../support/virtual-terminal.js";

const lines = (count: number) =>
  Array.from({ length: count }, (_, index) => `line ${index + 1}`).join("\\n");

describe("changes in a chat", () => {
  it("[GW-680] shows a long change with colours, scrolls it to its ends, and finds text in it, without deciding", async () => {
    const place = await startChatPlace();
    const chat = await place.open({ size: { columns: 80, rows: 30 } });
    chat.type(`use write {"path":"long.txt","content":"${lines(80)}"}${KEYS.enter}`);
    await chat.shows("[y]es");
    await chat.shows(/lines 1 to \d+ of \d+; .*Home End scroll, \/ searches/);
    expect(chat.output).toContain("\u001b[32m+line 1\u001b[39m");
    chat.type(KEYS.end);
    await chat.shows("+line 80");
    chat.type(KEYS.home);
    await chat.shows("+++ b/long.txt");
    // The letters of a search are not answers.
    chat.type("y/line 7");
    await chat.shows(/\/line 7▏ +11 found/);
    chat.type(KEYS.enter);
    await chat.shows("/line 7  match 1 of 11; n next, N previous");
    chat.type("nnn");
    await chat.shows("match 4 of 11");
    expect(chat.screen.join("\n")).toContain("+line 72");
    chat.type("NNNN");
    await chat.shows("match 11 of 11");
    chat.type(`${KEYS.enter}`);
    expect(() => readFileSync(join(place.workspaceDir, "long.txt"))).toThrow("ENOENT");
    chat.type(KEYS.escape);
    await chat.shows("/ searches");
    chat.type("y");
    await chat.shows("Enter confirms");
    chat.type(KEYS.enter);
    await chat.shows(/✓ write/);
    expect(readFileSync(join(place.workspaceDir, "long.txt"), "utf8")).toContain("line 80");
  });

  it.each([
    ["write", { path: "notes.txt", content: "two\n" }],
    ["edit", { path: "notes.txt", old_string: "one", new_string: "two" }],
    [
      "apply_patch",
      { input: "*** Begin Patch\n*** Update File: notes.txt\n@@\n-one\n+two\n*** End Patch" },
    ],
  ])(
    "[GW-680] shows a diff and no JSON on the request and on the expanded card of %s",
    async (tool, params) => {
      const place = await startChatPlace();
      const chat = await place.open();
      chat.type(`use ${tool} ${JSON.stringify(params)}${KEYS.enter}`);
      await chat.shows("[y]es");
      const request = chat.text.split("\n").filter((line) => line.startsWith("│ "));
      expect(request).toContain("│ -one");
      expect(request).toContain("│ +two");
      expect(request.join("\n")).not.toMatch(/"(?:content|new_string|input)"/);
      chat.type(`y`);
      await chat.shows("Enter confirms");
      chat.type(KEYS.enter);
      await chat.shows(/✓/);
      const before = chat.output.length;
      chat.type(KEYS.ctrlO);
      await chat.until(() =>
        /✓ \S*(?:write|edit|apply_patch)\S*.*\n(?: .*\n)* {2}\+two/.test(chat.screen.join("\n")),
      );
      expect(chat.output.slice(before)).toContain("\u001b[32m+two\u001b[39m");
      const card = chat.screen.filter((line) => line.startsWith("  "));
      expect(card.join("\n")).not.toMatch(/"(?:content|new_string|input)"/);
    },
  );
});
