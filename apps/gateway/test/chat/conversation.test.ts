import { temporaryFolder } from "@openclaw/foundation/testing";
import { stateFolderAt, WorkspaceConversations } from "@openclaw/gateway";
import { describe, expect, it, onTestFinished } from "vitest";
import { chooseConversation, recordConversation } from "../../src/chat/conversation.js";

const MAIN = "agent:main:main";
const NEW = /^agent:main:chat-[0-9a-f]{8}$/;

function newPlaces() {
  const state = temporaryFolder();
  onTestFinished(() => state[Symbol.dispose]());
  const environment = { OPENCLAW_STATE_DIR: state.path };
  const place = (workspaceDir: string, hostDir = workspaceDir) => {
    return { environment, workspaceDir, hostDir };
  };
  const chat = (options: Parameters<typeof chooseConversation>[0], at = place("/a")) => {
    const chosen = chooseConversation(options, at);
    if (chosen.kind !== "session") throw new Error("not a session");
    recordConversation(chosen.sessionKey, at);
    return chosen.sessionKey;
  };
  return { state, place, chat };
}

describe("conversation of a chat", () => {
  it("[GW-085] is the last one of the folder, a new one, or an earlier one", () => {
    const { chat, place } = newPlaces();
    expect(chat({})).toBe(MAIN);
    const elsewhere = chat({}, place("/b"));
    expect(elsewhere).toMatch(NEW);
    expect(chat({}, place("/b"))).toBe(elsewhere);
    const second = chat({ new: true });
    expect(second).toMatch(NEW);
    expect(chat({})).toBe(second);
    expect(chat({ resume: "main" })).toBe(MAIN);
    expect(chat({})).toBe(MAIN);
    expect(chooseConversation({ resume: true }, place("/a"))).toMatchObject({
      kind: "list",
      conversations: [{ sessionKey: MAIN }, { sessionKey: second }],
    });
    expect(chat({ session: "notes" })).toBe("agent:main:notes");
    expect(chat({ agent: "helper" })).toBe("agent:helper:main");
  });

  it("[GW-085] leaves the main session to the folder of the gateway", () => {
    const { chat, place } = newPlaces();
    expect(chat({}, place("/b", "/a"))).toMatch(NEW);
    expect(chat({}, place("/a", "/a"))).toBe(MAIN);
  });

  it.each([
    [{ new: true, resume: "x" }, "--new and --resume exclude each other"],
    [{ resume: "nothing" }, 'conversation "nothing" not found in /a'],
    [{ agent: "No Agent" }, "is not the ID of an agent"],
    [{ session: "agent:main:subagent:1" }, "is not the key of a session"],
  ])("[GW-085] rejects %j", (options, problem) => {
    const { chat } = newPlaces();
    expect(() => chat(options)).toThrow(problem);
  });

  it("[GW-085] survives a damaged list of conversations", () => {
    const { chat, state } = newPlaces();
    state.write({ "workspaces.json": '{ "/a": [{ "sessionKey": 1 }], "/b": 2 ' });
    expect(chat({})).toBe(MAIN);
    const { workspacesFile } = stateFolderAt(state.path);
    expect(new WorkspaceConversations(workspacesFile).workspaceOf(MAIN)).toBeUndefined();
  });
});
