import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { execPath } from "node:process";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { readServer } from "../src/settings.js";
import { mcpHost, until } from "./support/fixture.js";

const SERVER = fileURLToPath(new URL("./support/stdio-server.mjs", import.meta.url));

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), "mcp-sandbox-"));
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  return made;
}

describe("a server in a sandbox", () => {
  it("[EXT-914] sees its folders and no others, or does not start", async () => {
    const inside = folder();
    const outside = folder();
    const script = join(inside, "server.mjs");
    writeFileSync(join(outside, "secret"), "secret");
    writeFileSync(
      script,
      `import { existsSync, writeFileSync } from "node:fs";
       writeFileSync(${JSON.stringify(join(inside, "seen"))}, String(existsSync(${JSON.stringify(outside)})));
       await import(${JSON.stringify(SERVER)});`,
    );
    const support = fileURLToPath(new URL("./support", import.meta.url));
    const sandbox = { folders: [inside, support] };
    const entry = { command: execPath, args: [script], sandbox };
    const host = await mcpHost({ fake: entry });
    const reads = async () => {
      const answer = await host.request("/api/v1/mcp.list", { method: "POST", body: "{}" });
      return await answer.text();
    };
    await until(async () => !/"(?:stopped|starting)"/.test(await reads()));
    if (existsSync(join(inside, "seen"))) {
      expect((await host.callTool("fake__echo", { text: "hello" })).text).toBe("hello");
      const { readFileSync } = await import("node:fs");
      expect(readFileSync(join(inside, "seen"), "utf8")).toBe("false");
    } else expect(await reads()).toMatch(/must run in a sandbox/);
    expect(await reads()).not.toContain("isOutsideSandbox");
  });

  it.each([
    [
      { command: "a", sandbox: { folders: ["data"] } },
      /sandbox folder data, which is not absolute/,
    ],
    [{ url: "https://a.example/mcp", sandbox: {} }, /`sandbox`, which is for a `command` only/],
    [
      { command: "a", sandbox: { folders: ["/a"], hosts: ["a.example"] } },
      /`sandbox.hosts`, which this version cannot enforce: a sandbox has no network at all/,
    ],
    [{ command: "a", sandbox: { folder: "/a" } }, /unknown key `sandbox.folder`/],
  ])("[EXT-914] is not used with an entry that is not valid: %j", (entry, problem) => {
    expect(readServer("a", entry)).toMatchObject({ problem: expect.stringMatching(problem) });
  });
});
