import { chmodSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "@openclaw/foundation/testing";
import { describe, expect, it } from "vitest";
import { scanPlugin } from "../src/scan.js";

async function findings(files: Readonly<Record<string, string>>) {
  using folder = temporaryFolder();
  folder.write(files);
  const scan = await scanPlugin(folder.path);
  expect(scan.status).toBe("ok");
  return scan.findings;
}

describe("scanPlugin", () => {
  it("leaves out type declarations, which no program executes", async () => {
    using folder = temporaryFolder();
    folder.write({ "index.d.ts": 'import "node:child_process";', "lib.d.mts": "eval(x)" });
    expect(await scanPlugin(folder.path)).toMatchObject({ status: "ok", scannedFiles: 0 });
  });

  it.each([
    ["credential-path", "critical", 'read("~/.ssh/id_ed25519")'],
    ["credential-path", "critical", "home + '/.aws/credentials'"],
    ["credential-path", "critical", "home + '/.netrc'"],
    ["miner", "critical", 'connect("stratum+tcp://pool")'],
    ["miner", "critical", "import XMRig from 'xmrig'"],
    ["dynamic-code", "warn", "eval (text)"],
    ["dynamic-code", "warn", "new Function(text)()"],
    ["child-process", "warn", 'import { exec } from "node:child_process"'],
    ["child-process", "warn", "require('child_process')"],
    ["obfuscated", "warn", `const a = "${"\\x41".repeat(40)}"`],
    ["obfuscated", "warn", "_0xa1b2(_0xa1b3(_0xa1b4(_0xa1b5(_0xa1b6(_0xa1b7(0)"],
    ["all-variables", "info", "const env = { ...process.env }"],
    ["all-variables", "info", "Object.keys(process.env)"],
  ])("finds %s, %s, in %s", async (ruleId, severity, line) => {
    expect(await findings({ "src/index.ts": `// first\n${line}\n` })).toEqual([
      { ruleId, severity, file: "src/index.ts", line: 2, message: expect.any(String) },
    ]);
  });

  it.each([
    "const evaluate = medieval(text)",
    "process.env.HOME",
    "const functionName = new FunctionList()",
    "import { spawn } from './child_process_names.js'",
    "const ssh = 'ssh://host'",
    'const escaped = "\\x1b[31m\\x1b[0m"',
  ])("finds nothing in %s", async (line) => {
    expect(await findings({ "index.mjs": line })).toEqual([]);
  });

  it("scans sources, shell scripts and files without an extension", async () => {
    using folder = temporaryFolder();
    const bad = "eval(1)";
    const names = ["a.js", "b.cjs", "c.mjs", "d.ts", "e.cts", "f.mts", "g.jsx", "h.tsx"];
    const scripts = ["i.sh", "run"];
    folder.write({
      ...Object.fromEntries([...names, ...scripts].map((name) => [name, bad])),
      "README.md": bad,
    });
    mkdirSync(join(folder.path, "folder.js"));
    const scan = await scanPlugin(folder.path);
    expect(scan.findings.map(({ file }) => file)).toEqual([...names, ...scripts]);
    expect(scan).toMatchObject({ scannedFiles: 10, critical: 0, warn: 10, info: 0 });
  });

  it("scans dependencies, and reports the first finding of each rule in each", async () => {
    const found = await findings({
      "node_modules/other/a.js": "eval(1)",
      "node_modules/other/b.js": "eval(1)\nread('~/.ssh/id_rsa')",
      "node_modules/@scope/other/index.js": "eval(1)",
      "src/node_modules/other/index.js": "eval(1)",
    });
    expect(found.map(({ ruleId, file }) => [ruleId, file])).toEqual([
      ["dynamic-code", "node_modules/@scope/other/index.js"],
      ["dynamic-code", "node_modules/other/a.js"],
      ["credential-path", "node_modules/other/b.js"],
      ["dynamic-code", "src/node_modules/other/index.js"],
    ]);
  });

  it.each([
    ["npm-program", "critical", "git=./evil.sh"],
    ["npm-program", "critical", " script-shell = ./evil.sh"],
    ["npm-settings", "warn", "registry=https://registry.example.org"],
  ])("finds %s, %s, in an .npmrc with %s", async (ruleId, severity, line) => {
    expect((await findings({ ".npmrc": `# settings\n${line}\n` }))[0]).toMatchObject({
      ruleId,
      severity,
      file: ".npmrc",
      line: 2,
    });
  });

  it("reports a source that is too large to scan", async () => {
    expect(await findings({ "index.js": "x".repeat(16 * 1024 * 1024 + 1) })).toMatchObject([
      { ruleId: "too-large", severity: "critical" },
    ]);
  });

  it("reports a failure when it cannot read the folder", async () => {
    const missing = await scanPlugin("/nowhere/at/all");
    expect(missing).toMatchObject({ status: "error", scannedFiles: 0, findings: [] });
    expect(missing.error).toContain("ENOENT");
  });

  it("reports a failure when a file cannot be read", async () => {
    using folder = temporaryFolder();
    folder.write({ "a.js": "eval(1)", "b.js": "" });
    chmodSync(join(folder.path, "b.js"), 0);
    // Root reads every file.
    const expected =
      process.getuid?.() === 0
        ? { status: "ok", scannedFiles: 2 }
        : { status: "error", scannedFiles: 1 };
    expect(await scanPlugin(folder.path)).toMatchObject(expected);
  });
});
