import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const script = fileURLToPath(new URL("../support/seed-plugins.mjs", import.meta.url));
const results = JSON.parse(execFileSync(process.execPath, [script], { encoding: "utf8" }));

describe("plugin export styles", () => {
  it("[SDK-037] include a function, an object and a named function, and each in CommonJS", () => {
    expect(results.patterns).toEqual({
      "default-function": {
        tool: "roll_dice",
        answer: "4",
        logged: ["saw before_tool_call", "saw after_tool_call"],
      },
      "default-object": { tool: "greet", answer: "Hello", logged: [] },
      "named-register": { tool: "name_it", answer: "it", logged: [] },
      "commonjs-function": { tool: "old_style", answer: "from a function", logged: [] },
      "commonjs-object": { tool: "old_object", answer: "from an object", logged: [] },
    });
  });

  it("[SDK-037] require approval for the guarded tool and no other tool", () => {
    const asked = {
      questions: [
        {
          title: "Search the web",
          description: "The agent wants to search for: lobsters",
          severity: "info",
        },
      ],
      read: "unguarded",
      priorities: [50],
    };
    const { preflight } = results;
    expect(preflight["allow-once"]).toEqual({ ...asked, search: "found" });
    expect(preflight.deny).toEqual({
      ...asked,
      search: "Tool call denied: by user",
    });
    expect(preflight.nobody).toMatchObject({
      search: expect.stringContaining("no approver reachable"),
      read: "unguarded",
    });
  });

  it("[SDK-037] create a tool for each session, offered only when an allow list names it", () => {
    const { unnamed, terminal, telegram } = results.factory;
    expect(unnamed).toEqual({
      isOffered: false,
      answer: expect.stringContaining("workspace-action"),
    });
    expect(terminal).toEqual({ isOffered: true, answer: "for you, as main" });
    expect(telegram).toEqual({ isOffered: true, answer: "for @you, as main" });
  });
});
