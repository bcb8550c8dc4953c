import { execFileSync, spawnSync } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { temporaryFolder } from "@openclaw/foundation/testing";
import { describe, expect, it } from "vitest";

const root = fileURLToPath(new URL("../../../..", import.meta.url));
const script = (name: string) => join(root, "scripts", name);

describe("SDK API reports", () => {
  it("[SDK-022] match the exports, one report per entry point", () => {
    execFileSync(process.execPath, [script("api-report.mjs"), "--check"], { cwd: root });
    const { exports } = JSON.parse(
      readFileSync(join(root, "packages/plugin-sdk/package.json"), "utf8"),
    );
    const parts = Object.keys(exports)
      .filter((path) => !path.endsWith(".json"))
      .map((path) => (path === "." ? "index.md" : `${path.slice(2)}.md`));
    const reports = globSync("*.md", { cwd: join(root, "packages/plugin-sdk/api") });
    expect(reports.toSorted()).toEqual(parts.toSorted());
  });

  it("[SDK-022] change only with a changeset that names the SDK", () => {
    using folder = temporaryFolder("api-report");
    const git = (...args: string[]) =>
      execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...args], {
        cwd: folder.path,
      });
    const write = (file: string, text: string) => folder.write({ [file]: text });
    const check = () =>
      spawnSync(process.execPath, [script("api-changeset.mjs"), "HEAD"], {
        cwd: folder.path,
        encoding: "utf8",
      });
    const report = "packages/plugin-sdk/api/tools.md";
    git("init", "--quiet");
    write(report, "before");
    git("add", ".");
    git("commit", "--quiet", "--message", "first");
    expect(check()).toMatchObject({ status: 0, stderr: "" });

    write(report, "after");
    write(
      ".changeset/other.md",
      '---\n"@openclaw/agent": patch\n---\n\n"@openclaw/plugin-sdk": x\n',
    );
    const refused = check();
    expect(refused.status).toBe(1);
    expect(refused.stderr).toContain(`${report} differ from HEAD, and no changeset`);

    write(".changeset/the-sdk.md", '---\n"@openclaw/plugin-sdk": minor\n---\n\nMore tools.\n');
    expect(check()).toMatchObject({ status: 0, stderr: "" });
  });
});
