import { describe, expect, it } from "vitest";
import { deliveryRule } from "../../src/approvals/delivery-rule.js";

const ROOM = { channel: "slack", to: "C1" };
const SESSION = "agent:main:telegram:direct:42";
const ofExec = (exec: object, sessionKey = SESSION) =>
  deliveryRule({ exec }, { sessionKey, kind: "exec" });

describe("delivery of approval requests", () => {
  it("is to the conversation of the call by default", () => {
    const rule = { toSession: true, targets: [] };
    expect(deliveryRule(undefined, { sessionKey: SESSION, kind: "tool" })).toEqual(rule);
    expect(
      deliveryRule({ exec: { enabled: false } }, { sessionKey: SESSION, kind: "tool" }),
    ).toEqual(rule);
  });

  it("follows the mode, which is both when targets are named", () => {
    const targets = [ROOM];
    expect(ofExec({ targets })).toEqual({ toSession: true, targets });
    expect(ofExec({ targets, mode: "both" })).toEqual({ toSession: true, targets });
    expect(ofExec({ targets, mode: "targets" })).toEqual({ toSession: false, targets });
    expect(ofExec({ targets, mode: "session" })).toEqual({ toSession: true, targets: [] });
    expect(ofExec({ targets, enabled: false })).toEqual({ toSession: false, targets: [] });
  });

  it("is configured only for the agents and sessions that the filters name", () => {
    const settings = { targets: [ROOM], mode: "targets" };
    const applies = (filter: object, sessionKey = SESSION) =>
      !ofExec({ ...settings, ...filter }, sessionKey).toSession;
    expect(applies({ agentFilter: ["main"] })).toBe(true);
    expect(applies({ agentFilter: ["work"] })).toBe(false);
    expect(applies({ agentFilter: ["main"] }, "hook:deploy")).toBe(false);
    expect(applies({ sessionFilter: [SESSION] })).toBe(true);
    expect(applies({ sessionFilter: ["agent:*:telegram:*"] })).toBe(true);
    expect(applies({ sessionFilter: ["*:42"] })).toBe(true);
    expect(applies({ sessionFilter: ["agent:*:telegram:*:42*42"] })).toBe(false);
    expect(applies({ sessionFilter: ["*slack*", "*direct*"] })).toBe(true);
    expect(applies({ sessionFilter: ["telegram"] })).toBe(false);
  });

  it("is any of the kinds while the kind is not known", () => {
    const delivery = {
      exec: { enabled: false },
      tool: { enabled: false },
      plugin: { targets: [ROOM] },
    };
    expect(deliveryRule(delivery, { sessionKey: SESSION })).toEqual({
      toSession: true,
      targets: [ROOM],
    });
  });
});
