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
      .filter((path) => !path.endsWith(".json") && !path.startsWith("./proposals/"))
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

  const REPORT = (lines: string) =>
    `# sdk\n\n\`\`\`ts\nexport interface Tool {\n${lines}}\n\nexport type Kept = 1;\n\`\`\`\n`;
  const HOOK = (kind: string, merge: string) =>
    `# on_call\n\n**${kind}** · step X4 · deadline 15 s · failures closed\n\n| event field | type | handed over as |\n|---|---|---|\n| \`id\` | \`string\` | value |\n\n| result field | type | merge |\n|---|---|---|\n| \`block?\` | \`boolean\` | ${merge} |\n`;

  it.each([
    [
      "an export",
      "packages/plugin-sdk/api/tools.md",
      REPORT(""),
      REPORT("").replace("Kept", "New"),
      "export Kept is removed",
    ],
    [
      "a name of the root",
      "packages/plugin-sdk/api/index.md",
      "- `Old`\n- `Kept`\n",
      "- `Kept`\n",
      "export Old is removed",
    ],
    [
      "an option",
      "packages/plugin-sdk/api/tools.md",
      REPORT("    a?: string;\n"),
      REPORT(""),
      "export Tool loses: a?: string;",
    ],
    [
      "a type of a field",
      "packages/plugin-sdk/api/tools.md",
      REPORT("    a: string | number;\n"),
      REPORT("    a: string;\n"),
      "loses: a: string | number;",
    ],
    [
      "a kind of a hook",
      "docs/reference/hooks/on_call.md",
      HOOK("decide", "any"),
      HOOK("observe", "any"),
      "hook on_call loses: **decide**",
    ],
    [
      "a merge rule",
      "docs/reference/hooks/on_call.md",
      HOOK("decide", "any"),
      HOOK("decide", "last"),
      "result field on_call.block loses",
    ],
    [
      "a default",
      "docs/reference/hooks/on_call.md",
      HOOK("decide", "any"),
      HOOK("decide", "any").replace("15 s", "5 s"),
      "deadline 15 s",
    ],
    [
      "an event field",
      "docs/reference/hooks/on_call.md",
      HOOK("decide", "any"),
      HOOK("decide", "any").replace("`id`", "`key`"),
      "event field on_call.id is removed",
    ],
    [
      "an error code",
      "docs/reference/error-codes.md",
      "| `OLD_CODE`, `KEPT` | Two | invalid | Text. |\n",
      "| `KEPT` | One | invalid | Text. |\n",
      "error code OLD_CODE is removed",
    ],
  ])(
    "[SDK-021] lose %s only with a breaking changeset of the SDK",
    (_what, path, before, after, says) => {
      using folder = temporaryFolder("api-report");
      const git = (...args: string[]) =>
        execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...args], {
          cwd: folder.path,
        });
      const check = (since: string) =>
        spawnSync(process.execPath, [script("api-changeset.mjs"), since], {
          cwd: folder.path,
          encoding: "utf8",
        });
      const changeset = (bump: string, text: string) =>
        folder.write({
          ".changeset/sdk.md": `---\n"@openclaw/plugin-sdk": ${bump}\n---\n\n${text}\n`,
        });
      git("init", "--quiet");
      folder.write({ [path]: before });
      git("add", ".");
      git("commit", "--quiet", "--message", "first");
      folder.write({ [path]: after });
      changeset("minor", "author: Less.");
      const refused = check("HEAD");
      expect(refused.status).toBe(1);
      expect(refused.stderr).toContain(says);
      expect(refused.stderr).toContain("must not remove or narrow");
      changeset("minor", "author!: Less. Use the other.");
      expect(check("HEAD")).toMatchObject({ status: 0 });
      changeset("major", "author: Less.");
      expect(check("HEAD")).toMatchObject({ status: 0 });
      changeset("minor", "author: Less.");
      git("add", ".");
      git("commit", "--quiet", "--message", "second\n\nNo-breaking: it was never released");
      expect(check("HEAD~1")).toMatchObject({ status: 0 });
      // What is added alone breaks nothing.
      git("checkout", "--quiet", "-b", "other", "HEAD~1");
      folder.write({
        [path]: `${before}\n${path.endsWith("codes.md") ? "| `NEW_CODE` | New | invalid | Text. |\n" : ""}`,
      });
      changeset("minor", "author: More.");
      expect(check("HEAD")).toMatchObject({ status: 0 });
    },
  );
});
