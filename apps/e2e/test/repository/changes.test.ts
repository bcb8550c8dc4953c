import { execFileSync, spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { type TemporaryFolder, temporaryFolder } from "@openclaw/foundation/testing";
import { describe, expect, it, onTestFinished } from "vitest";

const script = fileURLToPath(new URL("../../../../scripts/changes.mjs", import.meta.url));
const AUTHOR = [
  "-c",
  "user.name=a",
  "-c",
  "user.email=a@example.org",
  "-c",
  "commit.gpgsign=false",
];

/** Repository with one published and one private package, whose branch `work` left `main`. */
function repository({ branch = "work" } = {}) {
  const folder: TemporaryFolder = temporaryFolder();
  onTestFinished(() => folder[Symbol.dispose]());
  const git = (...args: string[]) =>
    execFileSync("git", [...AUTHOR, ...args], { cwd: folder.path, stdio: "pipe" });
  folder.write({
    "packages/guard/package.json": '{ "name": "@openclaw/guard" }',
    "packages/inner/package.json": '{ "name": "@openclaw/inner", "private": true }',
    "packages/guard/src/guard.ts": "export const guard = 1;\n",
    "docs/requirements/area.md": "| AB-001 | It guards. | |\n",
  });
  git("init", "-q", "-b", "main");
  git("add", ".");
  git("commit", "-q", "-m", "first");
  if (branch !== "main") git("switch", "-q", "-c", branch);
  return {
    write: folder.write.bind(folder),
    commit(message: string) {
      git("add", ".");
      git("commit", "-q", "-m", message);
    },
    git,
    check(environment: NodeJS.ProcessEnv = {}) {
      const { PATH } = process.env;
      const { status, stdout } = spawnSync(process.execPath, [script], {
        ...{ cwd: folder.path, encoding: "utf8" },
        env: { PATH, ...environment },
      });
      return { status, stdout };
    },
  };
}

const CHANGED = { "packages/guard/src/guard.ts": "export const guard = 2;\n" };

describe("pnpm changes", () => {
  it("[SDK-460] names what a changed source lacks, warns, and fails in CI", () => {
    const { write, check } = repository();
    write(CHANGED);
    const local = check();
    expect(local.status).toBe(0);
    for (const part of ["test", "requirement", "changeset"]) {
      expect(local.stdout).toContain(`no ${part} for packages/guard`);
      expect(local.stdout).toContain(`"No-${part}: <reason>"`);
    }
    expect(check({ CI: "1" }).status).toBe(1);
  });

  it("[SDK-460] begins at a release, which has consumed the changesets", () => {
    const { write, check, commit } = repository();
    const release = (version: string) =>
      write({
        "apps/gateway/package.json": `{\n  "name": "openclaw",\n  "version": "${version}"\n}\n`,
      });
    release("0.1.0");
    write(CHANGED);
    commit("a change whose changeset the release consumes");
    expect(check({ CI: "1" }).status).toBe(1);
    release("0.2.0");
    commit("release");
    expect(check({ CI: "1" })).toMatchObject({ status: 0 });
    write({ "packages/guard/src/guard.ts": "export const guard = 3;\n" });
    expect(check({ CI: "1" }).stdout).toContain("no changeset for packages/guard");
  });

  it("[SDK-460] accepts a change with a test that cites a requirement, and a changeset", () => {
    const { write, check, commit } = repository();
    write({
      ...CHANGED,
      "packages/guard/test/guard.test.ts": 'it("[AB-001] guards", () => {});\n',
      ".changeset/guard.md": '---\n"@openclaw/guard": patch\n---\n\nguard: It guards.\n',
    });
    expect(check({ CI: "1" })).toMatchObject({ status: 0 });
    commit("guards");
    expect(check({ CI: "1" })).toMatchObject({ status: 0 });
  });

  it("[SDK-724] rejects a new changeset without a known topic, with an example, and one that is too long", () => {
    const { write, check } = repository();
    const file = (text: string) => ({
      ".changeset/guard.md": `---\n"@openclaw/guard": patch\n---\n\n${text}\n`,
    });
    write(file("It guarded nothing. It now guards."));
    const local = check();
    expect(local.status).toBe(0);
    expect(local.stdout).toContain(
      ".changeset/guard.md: its text does not begin with a known topic\n  Begin the text with one of chat:",
    );
    expect(local.stdout).toContain('For example "operate: The log grew');
    write(file(`guard: It did not ${"guard ".repeat(70)}it.`));
    expect(check({ CI: "1" })).toMatchObject({
      status: 1,
      stdout: expect.stringContaining("characters in 1 sentences; at most 400 in 3 are allowed"),
    });
  });

  it("[SDK-724] rejects a new changeset that names a private package, or one that does not exist", () => {
    const { write, check } = repository();
    const front = (...names: string[]) =>
      `---\n${names.map((name) => `"@openclaw/${name}": patch\n`).join("")}---\n\nguard: It guards.\n`;
    write({ ".changeset/inner.md": front("guard", "inner") });
    const { status, stdout } = check({ CI: "1" });
    expect(status).toBe(1);
    expect(stdout).toContain(
      ".changeset/inner.md: it names @openclaw/inner, which the workspace does not publish\n  Name the published packages",
    );
    write({ ".changeset/inner.md": front("guards") });
    expect(check({ CI: "1" }).stdout).toContain("it names @openclaw/guards, which");
    write({ ".changeset/inner.md": front("guard") });
    expect(check({ CI: "1" }).status).toBe(0);
  });

  it("[SDK-724] does not check a changeset of an earlier change again", () => {
    const { write, check, commit, git } = repository({ branch: "main" });
    write({ ".changeset/guard.md": '---\n"@openclaw/guard": patch\n---\n\nIt guards.\n' });
    commit("guards");
    git("tag", "v1");
    write({ ".changeset/guard.md": '---\n"@openclaw/guard": patch\n---\n\nIt guards all.\n' });
    commit("says more");
    expect(check({ CI: "1" })).toMatchObject({ status: 0 });
  });

  it("[SDK-723] warns above 30 waiting changesets", () => {
    const { write, check } = repository();
    const changesets = Array.from({ length: 31 }, (_, number) => [
      `.changeset/change-${number}.md`,
      '---\n"@openclaw/guard": patch\n---\n\nguard: It guards.\n',
    ]);
    write(Object.fromEntries(changesets.slice(1)));
    expect(check({ CI: "1" }).stdout).not.toContain("changesets wait");
    write(Object.fromEntries(changesets));
    expect(check({ CI: "1" })).toMatchObject({
      status: 0,
      stdout: expect.stringContaining("31 changesets wait, more than 30"),
    });
  });

  it("[SDK-460] names a cited requirement that does not exist, with advice", () => {
    const { write, check } = repository();
    write({ "packages/guard/test/guard.test.ts": 'it("[AB-002] guards", () => {});\n' });
    const { status, stdout } = check({ CI: "1" });
    expect(status).toBe(1);
    expect(stdout).toContain("a test cites AB-002, which is not a requirement");
    expect(stdout).toContain("cite AB-001 if you mean it, or add the row");
  });

  it("[SDK-460] needs no changeset for a private package, and nothing without changed sources", () => {
    const { write, check, commit } = repository();
    write({ "docs/page.md": "text\n" });
    expect(check({ CI: "1" }).status).toBe(0);
    write({ "packages/inner/src/inner.ts": "export const inner = 1;\n" });
    commit("inner");
    expect(check().stdout).not.toContain("no changeset");
    expect(check().stdout).toContain("no test for packages/inner");
  });

  it("[SDK-460] accepts a reason in a commit message for each part, and none without a reason", () => {
    const { write, check, commit } = repository();
    write(CHANGED);
    commit("moves\n\nNo-test: moves a file\nNo-requirement: same behaviour\nNo-changeset:");
    const { status, stdout } = check({ CI: "1" });
    expect(status).toBe(1);
    expect(stdout).toContain("no changeset for packages/guard");
    expect(stdout).not.toContain("no test");
    expect(stdout).not.toContain("no requirement");
  });

  it("[SDK-460] compares at the tip of main with the last tag, and passes without a base", () => {
    const { write, check, commit, git } = repository({ branch: "main" });
    write(CHANGED);
    commit("changes");
    expect(check({ CI: "1" })).toMatchObject({
      status: 0,
      stdout: expect.stringContaining("no base to compare with"),
    });
    git("tag", "v1", "HEAD~1");
    expect(check({ CI: "1" }).status).toBe(1);
    git("tag", "v2", "HEAD");
    expect(check({ CI: "1" }).status).toBe(0);
    expect(check({ CI: "1", OPENCLAW_CHANGE_BASE: "HEAD~1" }).status).toBe(1);
    expect(check({ CI: "1", OPENCLAW_CHANGE_BASE: "nowhere" })).toMatchObject({
      status: 2,
      stdout: expect.stringContaining('"nowhere" is not a commit'),
    });
  });
});
