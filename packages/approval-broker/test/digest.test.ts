import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { type ApprovalRequest, digestOf } from "../src/index.js";

type BoundCall = Parameters<typeof digestOf>[0];

const CALL: BoundCall = {
  toolName: "write",
  params: { path: "a/ü.txt", count: 2 },
  sessionKey: "agent:main:main",
  requester: { channel: "telegram", accountId: "default", senderId: "ann" },
};

/** The hashed text, written out by hand: keys in order, no white space, UTF-8. */
const CANONICAL =
  '{"params":{"count":2,"path":"a/ü.txt"},' +
  '"requester":{"accountId":"default","channel":"telegram","senderId":"ann"},' +
  '"sessionKey":"agent:main:main","tool":"write","v":1}';

describe("the digest of a call", () => {
  it("[APPR-008] is the SHA-256 of the canonical JSON of tool, parameters, session and requester", () => {
    const digest = digestOf(CALL);
    expect(digest).toBe(createHash("sha256").update(CANONICAL).digest("hex"));
    // Stored approvals keep their digest over every later release.
    expect(digest).toBe("99b20f43fd3d0e4e678d6a18933406bfd6782888f9bbdd3df2a4b14c2f9e2399");
  });

  it.each<[string, Partial<BoundCall>]>([
    ["the tool", { toolName: "edit" }],
    ["a parameter", { params: { path: "a/ü.txt", count: 3 } }],
    ["the name of a parameter", { params: { path: "a/ü.txt", number: 2 } }],
    ["the type of a parameter", { params: { path: "a/ü.txt", count: "2" } }],
    ["a further parameter", { params: { path: "a/ü.txt", count: 2, force: true } }],
    ["the session", { sessionKey: "agent:main:other" }],
    ["the channel", { requester: { ...CALL.requester, channel: "slack" } }],
    ["the account", { requester: { ...CALL.requester, accountId: "second" } }],
    ["the sender", { requester: { ...CALL.requester, senderId: "bob" } }],
  ])("[APPR-008] covers %s", (_what, changes) => {
    expect(digestOf({ ...CALL, ...changes })).not.toBe(digestOf(CALL));
  });

  it("[APPR-008] does not depend on the order of fields, nor on what an approval is not bound to", () => {
    const reordered: BoundCall & Pick<ApprovalRequest, "title" | "toolCallId"> = {
      title: "Other words",
      toolCallId: "call-9",
      requester: { senderId: "ann", accountId: "default", channel: "telegram" },
      sessionKey: CALL.sessionKey,
      params: { count: 2, path: "a/ü.txt" },
      toolName: CALL.toolName,
    };
    expect(digestOf(reordered)).toBe(digestOf(CALL));
  });
});
