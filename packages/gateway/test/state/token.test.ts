import { spawn } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { temporaryFolder } from "@openclaw/foundation/testing";
import { describe, expect, it, vi } from "vitest";
import { loadGatewayToken } from "../../src/state/token.js";

// Processes and files take longer on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

describe("loadGatewayToken", () => {
  it("creates a long token once, with access for its user only", () => {
    using folder = temporaryFolder();
    const file = join(folder.path, "gateway.token");
    const token = loadGatewayToken(file);
    expect(token).toMatch(/^[\w-]{43}$/);
    expect(loadGatewayToken(file)).toBe(token);
    expect(readFileSync(file, "utf8")).toBe(`${token}\n`);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder.path)).toEqual(["gateway.token"]);
  });

  it("creates different tokens in different folders", () => {
    using folder = temporaryFolder();
    expect(loadGatewayToken(join(folder.path, "one"))).not.toBe(
      loadGatewayToken(join(folder.path, "other")),
    );
  });

  it("creates one token for processes that start concurrently", async () => {
    using folder = temporaryFolder();
    const file = join(folder.path, "gateway.token");
    const children = Array.from({ length: 4 }, () => {
      const program = fileURLToPath(new URL("../children/load-token.mjs", import.meta.url));
      const child = spawn(process.execPath, ["--conditions=openclaw-source", program, file], {
        stdio: ["pipe", "pipe", "inherit"],
      });
      return { input: child.stdin, lines: createInterface(child.stdout)[Symbol.asyncIterator]() };
    });
    const nextLines = () =>
      Promise.all(children.map(async ({ lines }) => (await lines.next()).value));
    expect(await nextLines()).toEqual(Array(4).fill("ready"));
    for (const { input } of children) input.end();
    expect(await nextLines()).toEqual(Array(4).fill(loadGatewayToken(file)));
    expect(readdirSync(folder.path)).toEqual(["gateway.token"]);
  });

  it.each([
    ["is empty", ""],
    ["is too short", "short\n"],
    ["holds more than one word", `${"t".repeat(30)} ${"u".repeat(30)}`],
  ])("rejects a file that %s", (_, content) => {
    using folder = temporaryFolder();
    folder.write({ "gateway.token": content });
    const load = () => loadGatewayToken(join(folder.path, "gateway.token"));
    expect(load).toThrow(
      `the state folder ${folder.path} has a gateway.token that does not contain a token: expected at least 24 characters and no spaces, found ${content.trim().length} characters; delete that file to get a new one at the next start`,
    );
  });

  it("reports a file that cannot be read or created", () => {
    using folder = temporaryFolder();
    const file = join(folder.path, "gateway.token");
    mkdirSync(file);
    expect(() => loadGatewayToken(file)).toThrow(
      /has a gateway\.token that is not usable \(EISDIR/,
    );
    writeFileSync(join(folder.path, "file"), "");
    expect(() => loadGatewayToken(join(folder.path, "file", "gateway.token"))).toThrow(
      /has a gateway\.token that is not usable \(ENOTDIR/,
    );
  });
});
