import { chmod, mkdir, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { temporaryWorkspace } from "@openclaw/foundation/testing";
import type { ParsedCommand } from "@openclaw/plugin-sdk/hooks";
import { parseCommand } from "@openclaw/safety";
import { describe, expect, it } from "vitest";
import { type ApprovalRequest, digestOf, grantKeyOf } from "../src/index.js";

import { question } from "./support/broker-host.js";

/** A folder of programs, and the key of a question with it as PATH. */
async function programs(...names: string[]) {
  const { workspaceDir } = await temporaryWorkspace();
  const bin = join(workspaceDir, "bin");
  await mkdir(bin);
  const add = async (folder: string, name: string) => {
    const file = join(folder, name);
    await writeFile(file, "#!/bin/sh\n");
    await chmod(file, 0o755);
    return file;
  };
  for (const name of names) await add(bin, name);
  const keyOf = async (changes: Partial<ApprovalRequest>, path = bin, digest = "d1") =>
    (await grantKeyOf(question(changes), digest, { path, workspaceDir })).key;
  const command = async (params: { command: string; [name: string]: unknown }) => {
    const parsed: ParsedCommand = await parseCommand(params.command);
    return { kind: "exec", toolName: "exec", params, command: parsed } as const;
  };
  return { workspaceDir, bin, add, keyOf, command };
}

describe("the digest of a request", () => {
  it("covers parameters with half of a surrogate pair", () => {
    const [high, low] = ["\ud800", "\udc00"].map((path) =>
      digestOf(question({ params: { path } })),
    );
    expect(high).toMatch(/^[0-9a-f]{64}$/);
    expect(low).not.toBe(high);
  });
});

describe("the key of a grant", () => {
  it("[APPR-021] of a tool is the tool, in its session", async () => {
    const { keyOf, workspaceDir } = await programs();
    const place = { path: "", workspaceDir };
    expect(await grantKeyOf(question(), "d1", place)).toMatchObject({ scope: "session" });
    expect(await keyOf({ params: { path: "b" } })).toBe(await keyOf({}));
    expect(await keyOf({ toolName: "edit" })).not.toBe(await keyOf({}));
  });

  it("[APPR-021] of a plugin is its grant key, or the call itself", async () => {
    const { keyOf } = await programs();
    const asked = { kind: "plugin", pluginId: "guard" } as const;
    expect(await keyOf(asked, "", "d2")).not.toBe(await keyOf(asked));
    const keyed = { ...asked, grantKey: "deploy" };
    expect(await keyOf(keyed, "", "d2")).toBe(await keyOf(keyed));
    expect(await keyOf({ ...keyed, pluginId: "other" })).not.toBe(await keyOf(keyed));
    expect(await keyOf({ ...keyed, alsoRequestedBy: ["other"] })).not.toBe(await keyOf(keyed));
    expect(await keyOf({ ...keyed, toolName: "edit" })).not.toBe(await keyOf(keyed));
  });

  it("[APPR-021] of a command is its programs, words and folder, however long it may take", async () => {
    const { keyOf, command } = await programs("git", "rm");
    const status = await keyOf(await command({ command: "git status" }));
    expect(await keyOf(await command({ command: "git status", timeoutMs: 5 }))).toBe(status);
    for (const params of [
      { command: "git status -s" },
      { command: "git status; rm x" },
      { command: "git status", workdir: "sub" },
      { command: "git status", env: { PATH: "/elsewhere" } },
      { command: "git status", background: true },
    ]) {
      expect(await keyOf(await command(params)), JSON.stringify(params)).not.toBe(status);
    }
  });

  it("[APPR-021] of a command is another one in the same folder of another workspace", async () => {
    const { command, bin, workspaceDir } = await programs("npm");
    const other = await temporaryWorkspace();
    const asked = question(await command({ command: "npm test" }));
    const keys = [workspaceDir, other.workspaceDir].map(async (place) => {
      return (await grantKeyOf(asked, "d1", { path: bin, workspaceDir: place })).key;
    });
    expect(new Set(await Promise.all(keys)).size).toBe(2);
  });

  it("of a plugin's wish is each command where the shell asks by itself, whatever the plugin's key", async () => {
    const { keyOf, command } = await programs("npm", "rm");
    const [harmless, other] = [
      await command({ command: "npm test" }),
      await command({ command: "rm notes.txt" }),
    ];
    const wish = { kind: "plugin", pluginId: "guard", grantKey: "commands" } as const;
    const own = { ...wish, ownNeed: "unless-granted" } as const;
    expect(await keyOf({ ...harmless, ...own })).toBe(await keyOf({ ...harmless, ...own }));
    expect(await keyOf({ ...harmless, ...own })).not.toBe(await keyOf({ ...other, ...own }));
    expect(await keyOf({ ...harmless, ...wish })).toBe(await keyOf({ ...other, ...wish }));
  });

  it("of a command is another one when a program moved, also behind a wrapper or a link", async () => {
    const { keyOf, command, add, bin, workspaceDir } = await programs("git", "env", "tool-1");
    const [plain, wrapped] = [
      await command({ command: "git status" }),
      await command({ command: "env git status" }),
    ];
    const before = [await keyOf(plain), await keyOf(wrapped)];
    const other = join(workspaceDir, "other");
    await mkdir(other);
    await add(other, "git");
    const path = `${other}:${bin}`;
    expect(await keyOf(plain, path)).not.toBe(before[0]);
    expect(await keyOf(wrapped, path)).not.toBe(before[1]);
    // A relative folder in PATH is the workspace's own, and passed over.
    expect(await keyOf(plain, `other:.:${bin}`)).toBe(before[0]);

    const linked = await command({ command: "tool x" });
    await symlink(join(bin, "tool-1"), join(bin, "tool"));
    const first = await keyOf(linked);
    await rm(join(bin, "tool"));
    await symlink(await add(bin, "tool-2"), join(bin, "tool"));
    expect(await keyOf(linked)).not.toBe(first);
  });

  it("of a command in a folder of the workspace goes by what lies there", async () => {
    const { keyOf, command, add, workspaceDir } = await programs();
    const run = await command({ command: "./run.sh" });
    const absent = await keyOf(run);
    await add(workspaceDir, "run.sh");
    expect(await keyOf(run)).not.toBe(absent);
    const below = await command({ command: "./run.sh", workdir: "sub" });
    const before = await keyOf(below);
    await mkdir(join(workspaceDir, "sub"));
    await add(join(workspaceDir, "sub"), "run.sh");
    expect(await keyOf(below)).not.toBe(before);
  });
});
