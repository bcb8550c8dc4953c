import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createTestHost } from "@openclaw/plugin-testkit";
import { describe, expect, it } from "vitest";

const write = (path: string, content: string) => ({
  toolCalls: [{ toolName: "write", params: { path, content } }],
});

describe("the example careful-writes", () => {
  it("guides a call that ran, and returns one on a generated file once", async () => {
    const found: boolean[] = [];
    let lockFile = "";
    const lock = () => {
      found.push(existsSync(lockFile));
      return write("package-lock.json", "{}");
    };
    await using host = await createTestHost({
      plugin: new URL("../../../docs/examples/careful-writes", import.meta.url),
      config: { tools: { approval: { write: "never" } } },
      model: [
        write("notes.md", "# Notes"),
        lock,
        lock,
        () => ({ text: existsSync(lockFile) ? "Written." : "Not written." }),
      ],
    });
    lockFile = join(host.workspaceDir, "package-lock.json");
    expect((await host.turn("Write my notes and a lock file.")).text).toBe("Written.");
    expect(found).toEqual([false, false]);
    expect(readFileSync(join(host.workspaceDir, "notes.md"), "utf8")).toBe("# Notes");
    expect(JSON.stringify(host.modelRequests[1])).toContain("House rules for Markdown");
    expect(JSON.stringify(host.modelRequests[2])).toMatch(/was not run yet.*is generated/);
    expect(JSON.stringify(host.modelRequests[1])).not.toContain("was not run yet");
  });
});
