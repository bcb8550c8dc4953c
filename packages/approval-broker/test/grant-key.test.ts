import { chmod, mkdir, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { temporaryWorkspace } from "@openclaw/foundation/testing";
import type { ParsedCommand } from "@openclaw/plugin-sdk/hooks";
import { parseCommand } from "@openclaw/safety";
import { describe, expect, it } from "vitest";
import { type ApprovalRequest, digestOf, grantKeyOf } from "../src/index.js";

import { callRequest } from "./support/broker-host.js";

/**
 * Creates programs in a folder, and returns functions that compute grant keys with that folder as
 * `PATH`.
 */
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
    (await grantKeyOf(callRequest(changes), digest, { path, workspaceDir })).key;
  const command = async (params: { command: string; [name: string]: unknown }) => {
    const parsed: ParsedCommand = await parseCommand(params.command);
    return { kind: "exec", toolName: "exec", params, command: parsed } as const;
  };
  return { workspaceDir, bin, add, keyOf, command };
}

describe("digestOf", () => {
  it("distinguishes parameters that are unpaired surrogates", () => {
    const [high, low] = ["\ud800", "\udc00"].map((path) =>
      digestOf(callRequest({ params: { path } })),
    );
    expect(high).toMatch(/^[0-9a-f]{64}$/);
    expect(low).not.toBe(high);
  });
});

describe("grantKeyOf", () => {
  it("[APPR-021] returns one key for a tool in its session, whatever its parameters", async () => {
    const { keyOf, workspaceDir } = await programs();
    const place = { path: "", workspaceDir };
    expect(await grantKeyOf(callRequest(), "d1", place)).toMatchObject({ scope: "session" });
    expect(await keyOf({ params: { path: "b" } })).toBe(await keyOf({}));
    expect(await keyOf({ toolName: "edit" })).not.toBe(await keyOf({}));
  });

  it("[APPR-021] returns the key of a folder, those of the folders above it, and of the whole tool", async () => {
    const { keyOf, workspaceDir } = await programs();
    const place = { path: "", workspaceDir };
    const inFolder = (grantKey: string) => callRequest({ grantKey, coversBelow: true });
    const above = await grantKeyOf(inFolder("/work/src"), "d1", place);
    const below = await grantKeyOf(inFolder("/work/src/deep"), "d2", place);
    expect(above.scope).toBe("session");
    expect(below.wider?.slice(0, 1)).toEqual([above.key]);
    expect(below.wider?.slice(1)).toEqual(above.wider);
    expect(above.wider).toHaveLength(3);
    expect(above.wider?.at(-1)).toBe(await keyOf({}));
    const others = await Promise.all([
      keyOf({ grantKey: "/work/src", coversBelow: true, toolName: "edit" }),
      keyOf({ grantKey: "/work/src" }),
      keyOf({ grantKey: "/work/srcs", coversBelow: true }),
      keyOf({}),
    ]);
    expect(new Set([above.key, ...others]).size).toBe(5);
  });

  it("[APPR-056] says which calls each key covers", async () => {
    const { workspaceDir, bin, command } = await programs("git");
    const place = { path: bin, workspaceDir };
    const coveredBy = async (changes: Partial<ApprovalRequest>) =>
      (await grantKeyOf(callRequest({ toolName: "write", ...changes }), "d1", place)).covers;
    expect(await coveredBy({})).toBe("every call of write");
    expect(await coveredBy({ grantKey: "/a", covers: "of /a" })).toBe("write of /a");
    const folder = { grantKey: "/a", covers: "in /a and the folders below it", coversBelow: true };
    expect(await coveredBy(folder)).toBe("write in /a and the folders below it");
    const plugin = { kind: "plugin", pluginId: "guard" } as const;
    expect(await coveredBy(plugin)).toBe("exactly this call of write");
    expect(await coveredBy({ ...plugin, grantKey: "deploy" })).toBe(
      "calls of write that guard treats like this one",
    );
    const status = await command({ command: "git status" });
    expect(await coveredBy(status)).toBe("exactly this command");
    const both = { ...plugin, grantKey: "deploy", ownNeed: "unless-granted" } as const;
    expect(await coveredBy({ ...status, ...both })).toBe("exactly this call of exec");
  });

  it("[APPR-021] returns the key of a plugin's grant key, or else of the exact call", async () => {
    const { keyOf } = await programs();
    const asked = { kind: "plugin", pluginId: "guard" } as const;
    expect(await keyOf(asked, "", "d2")).not.toBe(await keyOf(asked));
    const keyed = { ...asked, grantKey: "deploy" };
    expect(await keyOf(keyed, "", "d2")).toBe(await keyOf(keyed));
    expect(await keyOf({ ...keyed, pluginId: "other" })).not.toBe(await keyOf(keyed));
    expect(await keyOf({ ...keyed, alsoRequestedBy: ["other"] })).not.toBe(await keyOf(keyed));
    expect(await keyOf({ ...keyed, toolName: "edit" })).not.toBe(await keyOf(keyed));
  });

  it("[APPR-021] returns a key of a command's programs, words and folder, but not its timeout", async () => {
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

  it("[APPR-021] returns another key for the same command in another workspace", async () => {
    const { command, bin, workspaceDir } = await programs("npm");
    const other = await temporaryWorkspace();
    const asked = callRequest(await command({ command: "npm test" }));
    const keys = [workspaceDir, other.workspaceDir].map(async (place) => {
      return (await grantKeyOf(asked, "d1", { path: bin, workspaceDir: place })).key;
    });
    expect(new Set(await Promise.all(keys)).size).toBe(2);
  });

  it("returns a key of one command where the shell also needs approval, whatever the plugin's grant key", async () => {
    const { keyOf, command } = await programs("npm", "rm");
    const [harmless, other] = [
      await command({ command: "npm test" }),
      await command({ command: "rm notes.txt" }),
    ];
    const request = { kind: "plugin", pluginId: "guard", grantKey: "commands" } as const;
    const own = { ...request, ownNeed: "unless-granted" } as const;
    expect(await keyOf({ ...harmless, ...own })).toBe(await keyOf({ ...harmless, ...own }));
    expect(await keyOf({ ...harmless, ...own })).not.toBe(await keyOf({ ...other, ...own }));
    expect(await keyOf({ ...harmless, ...request })).toBe(await keyOf({ ...other, ...request }));
  });

  it("returns another key when a program moved, also behind a wrapper or a link", async () => {
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
    // Relative folders in `PATH` belong to the workspace and are ignored.
    expect(await keyOf(plain, `other:.:${bin}`)).toBe(before[0]);

    const linked = await command({ command: "tool x" });
    await symlink(join(bin, "tool-1"), join(bin, "tool"));
    const first = await keyOf(linked);
    await rm(join(bin, "tool"));
    await symlink(await add(bin, "tool-2"), join(bin, "tool"));
    expect(await keyOf(linked)).not.toBe(first);
  });

  it("returns another key when a program of the workspace appears", async () => {
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
