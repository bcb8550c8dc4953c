import { BrokenTools } from "@openclaw/agent";
import { describe, expect, it } from "vitest";
import { answers } from "../support/authorized-call.js";
import { plugin, tool, turnHost } from "../support/turn-host.js";

const NOTE = "work has failed 5 times in a row and is not offered in the next turns";

describe("a tool of a plugin that fails each time", () => {
  it("[JOB-022] is not offered after 5 failures in a row, is tried again later, and stays when it works", async () => {
    const lines: string[] = [];
    const log = (line: string) => void lines.push(line);
    let now = 0;
    const brokenTools = new BrokenTools({
      logger: { debug: log, info: log, warn: log, error: log },
      now: () => now,
    });
    const work = tool("work", {
      parameters: { type: "object" },
      execute() {
        throw new Error("the service is down");
      },
    });
    const host = await turnHost({
      script: [
        ...Array.from({ length: 5 }, (_, count) => ({
          toolCalls: [{ toolName: "work", params: { count } }],
        })),
        { text: "done" },
        { text: "done again" },
      ],
      plugins: [plugin("worker", (api) => api.registerTool(work))],
      brokenTools,
    });
    await host.run({});
    const said = await answers(host);
    expect(said).toHaveLength(5);
    expect(said.filter((text) => text.includes(NOTE))).toEqual([said[4]]);
    expect(lines.join()).toContain("the tool work failed 5 times in a row");
    expect(brokenTools.isHidden("work")).toBe(true);
    now += 10 * 60_000;
    // The probe fails, and the tool is hidden again.
    expect(brokenTools.isHidden("work")).toBe(false);
    expect(brokenTools.note("work", "plugin", true)).toContain("6 times");
    expect(brokenTools.isHidden("work")).toBe(true);
    now += 10 * 60_000;
    expect(brokenTools.note("work", "plugin", false)).toBeUndefined();
    expect(brokenTools.isHidden("work")).toBe(false);
    expect(lines.at(-1)).toBe("the tool work works again");
  });

  it("[JOB-022] a tool of the core is never hidden: its failures are those of files and commands", () => {
    const log = () => undefined;
    const brokenTools = new BrokenTools({
      logger: { debug: log, info: log, warn: log, error: log },
      now: () => 0,
    });
    for (let call = 0; call < 9; call += 1) brokenTools.note("read", "builtin", true);
    expect(brokenTools.isHidden("read")).toBe(false);
  });
});
