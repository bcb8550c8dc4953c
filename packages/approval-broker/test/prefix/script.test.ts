import { mkdir, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { temporaryWorkspace } from "@openclaw/foundation/testing";
import { describe, expect, it } from "vitest";
import { scriptOf } from "../../src/prefix/script.js";

async function project(files: Readonly<Record<string, string>>) {
  const { workspaceDir } = await temporaryWorkspace();
  const write = async (changed: Readonly<Record<string, string>>) => {
    for (const [name, text] of Object.entries(changed)) {
      await mkdir(join(workspaceDir, name, ".."), { recursive: true });
      await writeFile(join(workspaceDir, name), text);
    }
  };
  await write(files);
  const script = (command: string, folder: string | undefined = ".") =>
    scriptOf(command.split(" "), join(workspaceDir, folder), workspaceDir);
  const digest = async (command: string, folder?: string) => {
    const found = await script(command, folder);
    return typeof found === "object" ? found.digest : found;
  };
  return { workspaceDir, write, script, digest };
}

const packageOf = (scripts: Readonly<Record<string, string>>) => JSON.stringify({ scripts });

describe("scriptOf", () => {
  it("[APPR-021] binds a script to its text, its pre and post scripts and the package manager's settings", async () => {
    const { write, digest, script } = await project({
      "package.json": packageOf({ test: "vitest", build: "tsc", pretest: "lint" }),
    });
    const tested = await digest("npm test");
    expect(await script("npm test")).toMatchObject({ words: 2 });
    expect(await script("npm run build")).toMatchObject({ words: 3 });
    expect(await digest("npm t -- --watch")).toBe(tested);
    await write({ "package.json": packageOf({ test: "vitest", build: "other", pretest: "lint" }) });
    expect(await digest("npm test")).toBe(tested);
    for (const changed of [
      { "package.json": packageOf({ test: "evil", pretest: "lint" }) },
      { "package.json": packageOf({ test: "vitest", pretest: "evil" }) },
      { "package.json": packageOf({ test: "vitest", pretest: "lint", posttest: "evil" }) },
      {
        "package.json": packageOf({ test: "vitest", pretest: "lint" }),
        ".npmrc": "script-shell=./evil",
      },
    ]) {
      await write(changed);
      expect(await digest("npm test")).not.toBe(tested);
    }
  });

  it("[APPR-021] finds the script of the nearest package, and distinguishes folders", async () => {
    const { digest } = await project({
      "package.json": packageOf({ test: "vitest" }),
      "a/package.json": packageOf({ test: "vitest" }),
      "b/src/x": "",
    });
    expect(await digest("npm test", "a")).not.toBe(await digest("npm test"));
    expect(await digest("npm test", "b/src")).toBe(await digest("npm test"));
  });

  it("[APPR-021] returns unknown where an option or a missing script could run something else", async () => {
    const { script, workspaceDir } = await project({
      "package.json": packageOf({ test: "vitest", build: "tsc" }),
      Makefile: "all:\n\techo all\n",
      "other/Makefile": "include ../evil.mk\n",
    });
    for (const command of [
      "npm test --prefix evil",
      "npm run build --script-shell=evil",
      "npm run missing",
      "npm run",
      "npm run -s build",
      "pnpm list",
      "yarn missing",
      "make",
      "make all deploy",
      "make -f evil.mk",
      "make all SHELL=evil",
    ]) {
      expect([command, await script(command)]).toEqual([command, "unknown"]);
    }
    expect(await script("make all", "other")).toBe("unknown");
    expect(await scriptOf(["npm", "test"], undefined, workspaceDir)).toBe("unknown");
    expect(await script("npm ls")).toBeUndefined();
    expect(await script("git status")).toBeUndefined();
    for (const command of ["pnpm test", "yarn build", "pnpm run build", "make all"]) {
      expect([command, typeof (await script(command))]).toEqual([command, "object"]);
    }
  });

  it("[APPR-021] binds a make target to the text of the Makefile in the workspace", async () => {
    const { write, digest, workspaceDir } = await project({ Makefile: "all:\n\techo all\n" });
    const before = await digest("make all");
    await write({ Makefile: "all:\n\techo evil\n" });
    expect(await digest("make all")).not.toBe(before);
    await rm(join(workspaceDir, "Makefile"));
    await symlink("/etc/hostname", join(workspaceDir, "Makefile"));
    expect(await digest("make all")).toBe("unknown");
  });
});
