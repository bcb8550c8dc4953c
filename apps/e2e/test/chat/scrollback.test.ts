import { describe, expect, it } from "vitest";
import { sharedChatFixture } from "../../src/chat-fixture.js";
import { createGate } from "../../src/gate.js";
import { KEYS, type SessionSize, type TerminalSession } from "../../src/terminal-session.js";

const chats = sharedChatFixture();

function numbered(word: string, count: number): string {
  return Array.from({ length: count }, (_, index) => `${word} ${index + 1}.`).join("\n\n");
}

/** Returns how often each numbered line of a reply is on the terminal or in its scrollback. */
function timesShown(chat: TerminalSession, word: string, count: number): readonly number[] {
  const lines = chat.text.split("\n");
  return Array.from(
    { length: count },
    (_, index) => lines.filter((line) => line === `${word} ${index + 1}.`).length,
  );
}

/** Changes the size of the terminal, and waits until the chat has drawn all of its screen again. */
async function resized(chat: TerminalSession, size: SessionSize): Promise<void> {
  const drawn = chat.output.length;
  chat.resize(size);
  await chat.until(() => chat.output.includes("ready · ", drawn));
}

describe("scrollback of a chat", () => {
  it("[GW-083] shows the whole of a reply that is pushed out of the terminal while it streams", async () => {
    await using chat = await chats.openChat({ columns: 80, rows: 24 });
    const rest = createGate();
    chats.model.reply({
      text: numbered("Line", 30),
      hold: { afterEvents: 8, until: rest.until },
    });
    chat.type(`go${KEYS.enter}`);
    await chat.shows("Line 1.");
    chat.type(`/help${KEYS.enter}`);
    await chat.shows("In this chat: ");
    chat.type(`/help${KEYS.enter}`);
    await chat.until(() => chat.text.split("In this chat: ").length === 3);
    expect(chat.screen.join("\n")).not.toContain("Line 1.");
    rest.open();
    await chat.shows("Line 30.");
    await chat.shows(/ready · /);
    expect(timesShown(chat, "Line", 30)).toEqual(Array.from({ length: 30 }, () => 1));
    expect(chat.output).not.toContain("\u001b[2J");
  });

  it("[GW-083] shows the result of a tool call that was pushed out of the terminal", async () => {
    await using chat = await chats.openChat({ columns: 80, rows: 24 });
    const rest = createGate();
    const echo = { id: "c1", name: "echo", arguments: '{"message":"tick"}' };
    chats.place.writeWorkspace({ "wait.sh": "while [ ! -e go ]; do sleep 0.05; done; echo done" });
    const exec = { ...echo, name: "exec", arguments: '{"command":"sh wait.sh"}' };
    chats.model.reply(
      { toolCalls: [exec] },
      { text: "finished", hold: { afterEvents: 1, until: rest.until } },
    );
    chat.type(`go${KEYS.enter}`);
    await chat.shows("[y]es");
    chat.type("y");
    await chat.shows("Enter confirms");
    chat.type(KEYS.enter);
    await chat.shows(/working .*Ctrl-C/);
    chat.type(`/help${KEYS.enter}`);
    await chat.shows("In this chat: ");
    expect(chat.screen.join("\n")).not.toContain("→ exec");
    chats.place.writeWorkspace({ go: "" });
    await chat.shows("✓ exec sh wait.sh");
    rest.open();
    await chat.shows("finished");
    expect(chat.text).toContain("→ exec sh wait.sh");
  });

  it.each([
    ["narrower", { columns: 60, rows: 24 }],
    ["wider", { columns: 120, rows: 24 }],
    ["lower", { columns: 80, rows: 12 }],
    ["narrower and lower", { columns: 60, rows: 12 }],
    ["higher", { columns: 80, rows: 50 }],
  ])(
    "[GW-083] keeps what was on the terminal before, and loses no line, when it gets %s",
    async (_, size) => {
      const before = numbered("Earlier", 40).replaceAll("\n\n", "\r\n");
      await using chat = await chats.openChat({ columns: 80, rows: 24 }, `${before}\r\n`);
      chats.model.reply({ text: numbered("Line", 40) });
      chat.type(`go${KEYS.enter}`);
      await chat.shows("Line 40.");
      await chat.shows(/ready · .* in, /);
      await resized(chat, size);
      chat.type("typed after it");
      await chat.shows("typed after it");
      expect(chat.output).not.toContain("\u001b[3J");
      for (const times of timesShown(chat, "Earlier", 40)) expect(times).toBe(1);
      for (const times of timesShown(chat, "Line", 40)) expect(times).toBeGreaterThanOrEqual(1);
      const rule = "─".repeat(size.columns);
      expect(chat.screen.filter((line) => line === rule)).toHaveLength(2);
    },
  );

  it("[GW-083] draws a short conversation again below what is above it when the size changes", async () => {
    await using chat = await chats.openChat({ columns: 80, rows: 30 }, "first\r\nsecond\r\n");
    chats.model.reply({ text: "short" });
    chat.type(`go${KEYS.enter}`);
    await chat.shows("short");
    await chat.shows(/ready · .* in, /);
    for (const columns of [70, 90, 60]) {
      await resized(chat, { columns, rows: 30 });
    }
    expect(chat.screen.slice(0, 3)).toEqual([
      "first",
      "second",
      expect.stringContaining("Workspace"),
    ]);
    expect(chat.text.match(/you › go/g)).toHaveLength(1);
  });
});
