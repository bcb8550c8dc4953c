import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type ReceivedEvent, receivedEvent } from "@openclaw/client";
import { type ConversationPartner, TurnsOfOthers } from "@openclaw/client/conversation";
import { temporaryFolder } from "@openclaw/foundation/testing";
import { expect, it, vi } from "vitest";
import { InputHistory } from "../../src/chat/input/history.js";
import { InteractiveChat } from "../../src/chat/interactive-chat.js";
import type { ChatView, ChatViewHandlers } from "../../src/chat/view.js";

const SESSION = "agent:main:main";
const CREDENTIAL = "sk-of-the-person";

/** A view that keeps everything it shows. */
function recordingView() {
  const shown: unknown[] = [];
  let handlers: ChatViewHandlers | undefined;
  const view: ChatView = {
    start: (given) => {
      handlers = given;
    },
    stop: () => undefined,
    draft: "",
    clearDraft: () => undefined,
    restoreDraft: () => undefined,
    message: (text) => void shown.push(text),
    reply: () => ({
      setText: () => undefined,
      startText: () => undefined,
      tool: () => ({ output: () => undefined, finish: () => undefined }),
    }),
    command: () => ({ output: () => undefined, finish: () => undefined }),
    note: (line) => void shown.push(line),
    pending: (messages) => void shown.push(...messages.map(({ text }) => text)),
    status: () => undefined,
    approval: () => ({ settle: () => undefined, remove: () => undefined, retry: () => undefined }),
  };
  return { view, shown, submit: (text: string) => handlers?.submit(text) };
}

it("[SUB-045] a chat at a terminal keeps a credential out of its history and its screen", async () => {
  using folder = temporaryFolder();
  const file = join(folder.path, "history");
  const { view, shown, submit } = recordingView();
  let publish: (name: string, payload: object) => void = () => undefined;
  const sent: string[] = [];
  const partner: ConversationPartner = {
    sessionKey: SESSION,
    call: () => Promise.reject(new Error("nothing is known")),
    async send(text) {
      sent.push(text);
      return { ok: true, text: "" };
    },
    observe(observer) {
      const session = {
        onEvent(listener: (event: ReceivedEvent) => void) {
          publish = (name, payload) => listener(receivedEvent({ event: name, payload }));
          return () => undefined;
        },
        readHistory: () => Promise.reject(new Error("nothing is known")),
      };
      const others = new TurnsOfOthers(session, SESSION, new Set(), observer);
      return { end: () => others.end() };
    },
    answer: () => Promise.reject(new Error("nothing is asked")),
  };
  const chat = new InteractiveChat({
    ...{ partner, view, history: new InputHistory(file), workspaceDir: folder.path },
    ...{ environment: {}, greeting: [], afterLeaving: "" },
  });
  const leaving = new AbortController();
  const ended = chat.run(leaving.signal);
  submit("connect");
  publish("credential.required", { sessionKey: SESSION, text: "Send the key." });
  publish("credential.required", { sessionKey: "agent:main:other", text: "Of another session." });
  submit("/help");
  submit(CREDENTIAL);
  publish("credential.completed", { sessionKey: SESSION, success: true });
  submit("go on");
  await vi.waitFor(() => expect(sent).toHaveLength(4));
  leaving.abort();
  await ended;
  expect(sent).toEqual(["connect", "/help", CREDENTIAL, "go on"]);
  expect(shown).toContain("Send the key.");
  expect(shown).toContain("(credential)");
  expect(JSON.stringify(shown)).not.toMatch(/sk-of-the-person|another session/);
  expect(readFileSync(file, "utf8").trim().split("\n")).toEqual(
    ["connect", "/help", "go on"].map((text) => JSON.stringify(text)),
  );
});
