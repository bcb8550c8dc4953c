import { anyText } from "@openclaw/foundation/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";

import {
  agentOfCallerKey,
  directSessionKey,
  expandSessionKey,
  mainSessionKey,
  sessionKeyOf,
} from "../../src/sessions/key.js";

const name = anyText();
const agentId = "main";

describe("session keys", () => {
  it("have the documented formats", () => {
    expect(mainSessionKey("main")).toBe("agent:main:main");
    expect(directSessionKey({ agentId, channel: "api", peer: " Alice:1% " })).toBe(
      "agent:main:api:direct: Alice%3a1%25 ",
    );
  });

  it("[TURN-009] have a format for each scope of direct messages, and for rooms", () => {
    const at = { channel: "Signal", accountId: "Work", senderId: "Al:1" };
    expect(sessionKeyOf("a", at, "main")).toBe("agent:a:main");
    expect(sessionKeyOf("a", at, "per-peer")).toBe("agent:a:direct:Al%3a1");
    expect(sessionKeyOf("a", at, "per-channel-peer")).toBe("agent:a:Signal:direct:Al%3a1");
    expect(sessionKeyOf("a", at, "per-account-channel-peer")).toBe(
      "agent:a:Signal:Work:direct:Al%3a1",
    );
    expect(directSessionKey({ agentId: "a", channel: "signal", peer: "al" })).toBe(
      "agent:a:signal:direct:al",
    );
    const group = { ...at, room: { kind: "group", id: "G:2" } } as const;
    expect(sessionKeyOf("a", group, "main")).toBe("agent:a:Signal:group:G%3a2");
    expect(sessionKeyOf("a", { ...group, threadId: "5" }, "main")).toBe(
      "agent:a:Signal:group:G%3a2:topic:5",
    );
    const room = { ...at, room: { kind: "channel", id: "C" } } as const;
    expect(sessionKeyOf("a", room, "main")).toBe("agent:a:Signal:channel:C");
    expect(sessionKeyOf("a", { ...room, threadId: "5" }, "main")).toBe(
      "agent:a:Signal:channel:C:thread:5",
    );
  });

  it.each([
    ["telegram:user:123", "agent:a:telegram:direct:123"],
    ["telegram:dm:Bob", "agent:a:telegram:direct:Bob"],
    ["telegram:group:-100ABC", "agent:a:telegram:group:-100ABC"],
    ["telegram:group:-7", "agent:a:telegram:group:-7"],
    ["telegram:group:-7:topic:4", "agent:a:telegram:group:-7:topic:4"],
    ["main", "agent:a:main"],
    ["agent:b:telegram:direct:123", "agent:b:telegram:direct:123"],
    ["agent:direct:x", "agent:direct:x"],
    ["cron:direct:x", "cron:direct:x"],
    ["cron:daily", "cron:daily"],
    ["hook:3f2c", "hook:3f2c"],
  ])("[TURN-009] expand from the short form %s", (short, full) => {
    expect(expandSessionKey(short, "a")).toBe(full);
  });

  it("are equal only for the same peer of the same channel", () => {
    fc.assert(
      fc.property(name, name, name, name, (channel, peer, otherChannel, otherPeer) => {
        const key = directSessionKey({ agentId, channel, peer });
        const other = directSessionKey({ agentId, channel: otherChannel, peer: otherPeer });
        const isSame = channel === otherChannel && peer === otherPeer;
        expect(key === other).toBe(isSame);
      }),
    );
  });

  it("cannot be forged with special characters in a name", () => {
    const characters = fc.string({ unit: fc.constantFrom("a", "A", ":", "%", "3", "5", "2", " ") });
    fc.assert(
      fc.property(characters, characters, characters, characters, (channel, peer, other, third) => {
        const isSame = channel === other && peer === third;
        expect(
          directSessionKey({ agentId, channel, peer }) ===
            directSessionKey({ agentId, channel: other, peer: third }),
        ).toBe(isSame);
      }),
      { numRuns: 1000 },
    );
  });

  it.each([
    ["agent:main:main", "main"],
    ["agent:main:api:direct:alice", "main"],
    ["agent:side-kick_2:telegram:group:1", "side-kick_2"],
    ["agent:main:subagents", "main"],
    ["agent:main:api:openai:李 雷", "main"],
  ])("allow a caller to choose %s", (key, agent) => {
    expect(agentOfCallerKey(key)).toBe(agent);
  });

  it.each([
    "cron:daily",
    "hook:3f2c",
    "agent:main:subagent:3f2c",
    "agent:main:",
    "agent::main",
    "agent:Main:main",
    "agent:-main:main",
    `agent:${"a".repeat(65)}:main`,
    `agent:main:${"a".repeat(2001)}`,
    "agent:main:a\u0000b",
    "agent:main:line\nbreak",
    "AGENT:main:main",
    "main",
    "",
  ])("do not allow a caller to choose %j", (key) => {
    expect(agentOfCallerKey(key)).toBeUndefined();
  });
});
