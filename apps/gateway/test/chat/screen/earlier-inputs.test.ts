import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { editText } from "../../../src/shell/editor.js";
import { startChatPlace } from "../../support/virtual-chat.js";
import { KEYS } from "../../support/virtual-terminal.js";

describe("earlier inputs of a chat", () => {
  it("[GW-682] searches them with Ctrl-R while the user types, also those of earlier chats, and takes one to the input", async () => {
    const place = await startChatPlace();
    const first = await place.open();
    for (const text of ["/ping", "/version", "/help ping"]) {
      first.type(`${text}${KEYS.enter}`);
      await first.until(() => first.text.includes(`you › ${text}\n`));
      await first.shows("ready · ");
    }
    const later = await place.open();
    later.type(`draft${KEYS.ctrlR}`);
    await later.shows(/history › ▏\n {2}\/help ping\nCtrl-R older/);
    later.type("ping");
    await later.shows(/history › ping▏\n {2}\/help ping\n/);
    later.type(KEYS.ctrlR);
    await later.shows(/history › ping▏\n {2}\/ping\n/);
    later.type(KEYS.ctrlS);
    await later.shows(/history › ping▏\n {2}\/help ping\n/);
    later.type("x");
    await later.shows(/history › pingx▏\n {2}not found\n/);
    later.type(KEYS.escape);
    await later.until(() => !later.screen.join("\n").includes("history ›"));
    expect(later.screen).toContain("draft");
    later.type(
      `${KEYS.ctrlR}VER${KEYS.backspace}${KEYS.backspace}${KEYS.backspace}ver${KEYS.enter}`,
    );
    await later.until(() => later.screen.includes("/version"));
    expect(later.text).not.toContain("you › /version");
  });

  it("[GW-682] does not store an input with a secret", async () => {
    const place = await startChatPlace();
    const chat = await place.open();
    const key = `sk-ant-api03-${"a1B2".repeat(24)}`;
    for (const text of [`!echo ${key} >/dev/null`, "!export DB_PASSWORD=hunter2", "!true"]) {
      chat.type(`${text}${KEYS.enter}`);
      await chat.until(() => chat.text.includes(`${text.replace("!", "! ").slice(0, 6)}`));
      await chat.until(() => !chat.screen.join("\n").includes("running"));
    }
    const stored = readFileSync(join(place.folder.path, "state/chat-history.jsonl"), "utf8");
    expect(stored).toBe('"!true"\n');
    chat.type(`${KEYS.ctrlR}echo`);
    await chat.shows("not found");
  });
});

describe("Ctrl-G in a chat", () => {
  it("[GW-683] gives the input to an editor that has the terminal meanwhile, and takes the result back", async () => {
    const place = await startChatPlace();
    let isAlone = false;
    let received = "";
    const chat = await place.open({
      size: { columns: 80, rows: 12 },
      editText: async (text) => {
        received = text;
        isAlone = !chat.isStarted;
        return "first line\n\tsecond line";
      },
    });
    chat.type(`!seq 1 20${KEYS.enter}`);
    await chat.shows("exit code 0");
    // The screen is higher while the prompt is open.
    chat.type(`my draft${KEYS.ctrlR}`);
    await chat.shows("history ›");
    chat.type(KEYS.escape);
    await chat.until(() => !chat.screen.join("\n").includes("history ›"));
    chat.type(KEYS.ctrlG);
    await chat.until(() => chat.screen.includes("first line"));
    expect(received).toBe("my draft");
    expect(isAlone).toBe(true);
    // The conversation is there once.
    const numbers = chat.text.split("\n").filter((line) => /^\d+$/.test(line));
    expect(numbers).toEqual(Array.from({ length: 20 }, (_, index) => `${index + 1}`));
    expect(chat.text.match(/ready · /g)).toHaveLength(1);
    chat.type(KEYS.enter);
    await chat.shows("You said:");
    const [sent] = await place.sentTexts();
    expect(sent).toMatch(/\n\nfirst line\n\tsecond line$/);
  });

  it("[GW-683] keeps the input and says why when no editor is set or it fails", async () => {
    const place = await startChatPlace();
    const chat = await place.open({ editText: (text) => editText(text, {}) });
    chat.type(`my draft${KEYS.ctrlG}`);
    await chat.shows("no editor is set; set VISUAL or EDITOR, for example EDITOR=nano");
    await chat.until(() => chat.screen.includes("my draft"));
    await expect(editText("a", { EDITOR: "false" })).rejects.toThrow("ended with status 1");
    const edited = await editText("one\n two", {
      VISUAL: `sh -c 'printf "%s\\n" "$(cat "$1") three" > "$1"' sh`,
    });
    expect(edited).toBe("one\n two three");
  });
});
