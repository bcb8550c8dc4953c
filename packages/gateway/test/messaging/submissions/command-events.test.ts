import type { InternalEvent, InternalEventName } from "@openclaw/plugin-sdk/hooks";
import { describe, expect, it } from "vitest";
import { createTestHost, message, SESSION } from "../../support/host.js";

const NAMES: readonly InternalEventName[] = [
  "command",
  "command:new",
  "command:reset",
  "command:stop",
  "agent:bootstrap",
  "gateway:startup",
  "session:start",
  "session:end",
  "message:received",
  "message:sent",
];

describe("colon events", () => {
  it("[LIFE-040] call handlers with one object, and a bare type receives all its actions", async () => {
    const seen: { name: string; event: InternalEvent }[] = [];
    const host = await createTestHost({
      register(api) {
        for (const name of [...NAMES, "session", "message"] as const) {
          api.registerHook(name, (...args: [event: InternalEvent]) => {
            seen.push({ name, event: args[0] });
          });
        }
      },
    });
    await host.plugins.start({
      event: { port: 1, host: "::1", generation: 1 },
      context: { callDepth: 0 },
    });
    const say = (text: string) => host.flow.receive(message(text), {});
    for (const text of ["hello", "/new", "hello", "/reset", "/stop", "/undo"]) await say(text);
    await host.flow.close();
    const actionsOf = (name: string) =>
      seen.flatMap((each) => (each.name === name ? [each.event.action] : []));
    expect(actionsOf("command")).toEqual(["new", "reset", "stop", "undo"]);
    expect(actionsOf("command:new")).toEqual(["new"]);
    expect(actionsOf("command:reset")).toEqual(["reset"]);
    expect(actionsOf("command:stop")).toEqual(["stop"]);
    expect(actionsOf("agent:bootstrap")).toEqual(["bootstrap", "bootstrap"]);
    expect(actionsOf("gateway:startup")).toEqual(["startup"]);
    expect(actionsOf("session:start")).toEqual(["start", "start", "start"]);
    expect(actionsOf("session:end")).toEqual(["end", "end"]);
    expect(actionsOf("session").sort()).toEqual(["end", "end", "start", "start", "start"]);
    expect(actionsOf("message:received")).toHaveLength(6);
    expect(actionsOf("message:sent").length).toBeGreaterThan(0);
    expect(actionsOf("message")).toHaveLength(
      actionsOf("message:received").length + actionsOf("message:sent").length,
    );
    for (const { name, event } of seen) {
      const type = name.split(":")[0];
      expect(event).toEqual({
        type,
        action: expect.any(String),
        sessionKey: expect.any(String),
        timestamp: expect.any(Date),
        messages: [],
        context: expect.any(Object),
      });
      if (type === "command" || type === "session") expect(event.sessionKey).toBe(SESSION);
    }
  });

  it("[LIFE-041] send what handlers of commands push after the command's own reply", async () => {
    const host = await createTestHost({
      register(api) {
        api.registerHook("command:new", ({ messages }) => void messages.push("one", "two"));
        api.registerHook("command", ({ messages }) => void messages.push("first"), {
          priority: 10,
        });
        api.registerHook("command", () => {
          throw new Error("the handler failed");
        });
        api.registerHook("message:received", ({ messages }) => void messages.push("never"));
      },
    });
    const sent: (string | undefined)[] = [];
    const surface = {
      async send({ text }: { text?: string }) {
        sent.push(text);
        return {};
      },
    };
    await host.flow.receive(message("hello"), { surface });
    await host.flow.receive(message("/new"), { surface });
    expect(sent).toEqual(["ok", "Started a new conversation.", "first", "one", "two"]);
    expect(host.lines.join()).toContain("the handler failed");
    // A caller without a surface reads one text.
    expect(await host.flow.receive(message("/ping"), {})).toMatchObject({ text: "pong\n\nfirst" });
  });
});
