import { describe, expect, it } from "vitest";
import { sharedChatFixture, startChatFixture } from "../../src/chat-fixture.js";
import { createGate } from "../../src/gate.js";
import { KEYS, openTerminal, type TerminalSession } from "../../src/terminal-session.js";

const chats = sharedChatFixture();

function writeCall(path: string) {
  return { id: "call_1", name: "write", arguments: JSON.stringify({ path, content: "text" }) };
}

/** Waits until no turn runs, after at least one. */
async function settled(chat: TerminalSession): Promise<void> {
  await chat.until(() => chat.screen.some((line) => line.startsWith("ready · ")));
}

describe("text that is typed in a chat", () => {
  it("[GW-080] reaches the model with the tabs of a paste, and without its control sequences", async () => {
    await using chat = await chats.openChat();
    chats.model.reply({ text: "built" });
    chat.paste("all:\n\tcc \u001b[31mmain.c\u001b[0m");
    await chat.shows("␉cc main.c");
    chat.type(KEYS.enter);
    await chat.shows("built");
    expect(chats.lastUserText()).toBe(JSON.stringify("all:\n\tcc main.c"));
    chat.type(KEYS.up);
    await chat.until(() => chat.screen.some((line) => line === "␉cc main.c"));
  });

  it("[GW-080] folds a long paste of one line", async () => {
    await using chat = await chats.openChat();
    chats.model.reply({ text: "a long line" });
    chat.paste("word ".repeat(400));
    await chat.shows(/\[paste #1 \d+ chars\]/);
    chat.type(KEYS.enter);
    await chat.shows("a long line");
    expect(chat.text).toMatch(/you › \[pasted 2000 characters\] \(Ctrl-O shows all\)/);
    expect(chats.lastUserText()).toBe(JSON.stringify("word ".repeat(400)));
  });

  it("[GW-080] is shown as it was completed", async () => {
    await using chat = await chats.openChat();
    chat.type("/statu");
    await chat.shows(/→ \/?status/);
    chat.type(KEYS.enter);
    await chat.shows("Conversation: not started");
    expect(chat.text).toMatch(/you › \/status\n/);
  });

  it("[GW-080] says what a command takes when it has arguments that it does not take", async () => {
    await using chat = await chats.openChat();
    chat.type(`/undo 2${KEYS.enter}`);
    await chat.shows("Nothing was done: /undo takes no argument.");
  });

  it("[GW-081] is never sent when it is the answer to a request that was decided elsewhere", async () => {
    await using chat = await chats.openChat();
    chats.model.reply({ toolCalls: [writeCall("late.txt")] }, { text: "not written" });
    chat.type(`write it${KEYS.enter}`);
    await chat.shows("[y]es");
    // The card has no longer the focus.
    chat.type("x");
    await chat.shows("Press Tab to decide.");
    chat.type("\u007fy");
    await chat.until(() => chat.screen.includes("y"));
    await chats.denyPending();
    await chat.shows("Press Enter to continue.");
    chat.type(KEYS.enter);
    await chat.shows("not written");
    await settled(chat);
    expect(chats.lastUserText()).toBe('"write it"');
    expect(chat.text).not.toContain("you › y");
  });

  it("[GW-081] stays at a request that does not offer the answer, and says why", async () => {
    await using chat = await chats.openChat();
    const exec = { id: "c1", name: "exec", arguments: '{"command":"rm -rf build"}' };
    chats.model.reply({ toolCalls: [exec] }, { text: "not removed" });
    chat.type(`remove it${KEYS.enter}`);
    await chat.shows("[y]es");
    expect(chat.text).not.toContain("[a]lways");
    chat.type("a");
    await chat.shows("a request of this kind is decided each time");
    chat.type(`${KEYS.enter}\u007fn`);
    await chat.shows("Enter confirms");
    chat.type(KEYS.enter);
    await chat.shows("not removed");
    expect(chat.text).not.toContain("you › a");
  });

  it("[GW-082] interrupts a turn that another chat of the session started", async () => {
    const args = ["chat", "--session", "shared"];
    await using first = openTerminal(args, chats.place);
    await using second = openTerminal(args, chats.place);
    await first.shows(/ready · /);
    await second.shows(/ready · /);
    const rest = createGate();
    chats.model.reply({ text: "never whole", hold: { afterEvents: 2, until: rest.until } });
    first.type(`go${KEYS.enter}`);
    await second.shows(/working .*Ctrl-C interrupts/);
    second.type(KEYS.ctrlC);
    await first.shows("interrupted");
    await settled(first);
    await settled(second);
    rest.open();
  });

  it("[GW-083] shows in the status line that the gateway cannot be reached", async () => {
    await using own = await startChatFixture();
    await using chat = await own.openChat();
    await own.gateway.end("SIGKILL");
    await chat.shows(/^connecting · /m);
  });

  it("[GW-082] names the key that leaves", async () => {
    await using chat = await chats.openChat();
    chat.type(KEYS.ctrlD);
    await chat.shows("press Ctrl-D again to leave; the gateway keeps running");
    chat.type(KEYS.ctrlD);
    expect(await chat.ended()).toBe(0);
  });

  it("[GW-083] changes the model of the status line with /model", async () => {
    await using chat = await chats.openChat();
    await chat.shows("openai-compatible/fake");
    chat.type(`/model openai-compatible/other${KEYS.enter}`);
    await chat.shows(/^ready · .*openai-compatible\/other/m);
  });
});
