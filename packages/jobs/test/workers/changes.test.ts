import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
} from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "@openclaw/foundation/testing";
import { describe, expect, it, onTestFinished } from "vitest";
import {
  applyChanges,
  changesDigest,
  changesText,
  workspaceChanges,
} from "../../src/workers/workspace/changes.js";
import { copyWorkspace, workerFolders } from "../../src/workers/workspace/copy.js";

/** A workspace with its copy for a worker. */
async function copied(files: Readonly<Record<string, string>>) {
  const folder = temporaryFolder("copy");
  onTestFinished(() => folder[Symbol.dispose]());
  folder.write(
    Object.fromEntries(Object.entries(files).map(([path, text]) => [`w/${path}`, text])),
  );
  const workspace = join(folder.path, "w");
  mkdirSync(workspace, { recursive: true });
  const folders = workerFolders(join(folder.path, "s"), "job");
  await copyWorkspace(folders, workspace, join(folder.path, "w/state"));
  return {
    ...{ folders, workspace },
    /** Writes files of the worker. */
    work: (written: Readonly<Record<string, string>>) =>
      folder.write(
        Object.fromEntries(
          Object.entries(written).map(([path, text]) => [`s/jobs/job/workspace/${path}`, text]),
        ),
      ),
    /** Writes files of the user. */
    write: (written: Readonly<Record<string, string>>) =>
      folder.write(
        Object.fromEntries(Object.entries(written).map(([path, text]) => [`w/${path}`, text])),
      ),
    read: (path: string) => readFileSync(join(workspace, path), "utf8"),
    changes: () => workspaceChanges(folders, workspace),
  };
}

describe("the changes of a sandboxed job", () => {
  it("[JOB-524] are a diff that is applied as it was shown, once", async () => {
    const scene = await copied({ "a.txt": "one\ntwo\n", "gone.txt": "x\n", "same.txt": "s\n" });
    scene.work({ "a.txt": "one\n2\n", "new/b.sh": "echo\n", "bin.dat": "a\0b" });
    chmodSync(join(scene.folders.workspace, "new/b.sh"), 0o755);
    rmSync(join(scene.folders.workspace, "gone.txt"));
    const changes = await scene.changes();
    expect(changes.map(({ path, kind }) => `${kind} ${path}`)).toEqual([
      ...["modified a.txt", "added bin.dat", "deleted gone.txt", "added new/b.sh"],
    ]);
    const { text, isCut } = await changesText(scene.folders, changes);
    expect(isCut).toBe(false);
    expect(text).toContain("-two\n+2\n");
    expect(text).toContain("added bin.dat (binary or large, 3 bytes)\n");
    expect(changesDigest(changes)).toMatch(/^[0-9a-f]{64}$/);
    await applyChanges(scene.folders, changes, scene.workspace);
    expect(scene.read("a.txt")).toBe("one\n2\n");
    expect(scene.read("bin.dat")).toBe("a\0b");
    expect(statSync(join(scene.workspace, "new/b.sh")).mode & 0o111).not.toBe(0);
    expect(existsSync(join(scene.workspace, "gone.txt"))).toBe(false);
    expect(await scene.changes()).toEqual([]);
  });

  it("[JOB-525] are not applied at all when a file of the workspace changed meanwhile", async () => {
    const scene = await copied({ "a.txt": "one\n", "b.txt": "b\n" });
    scene.work({ "a.txt": "worker\n", "b.txt": "worker\n", "c.txt": "worker\n" });
    scene.write({ "a.txt": "user\n", "c.txt": "user\n" });
    const changes = await scene.changes();
    expect(changes.filter(({ isConflict }) => isConflict).map(({ path }) => path)).toEqual([
      ...["a.txt", "c.txt"],
    ]);
    await expect(applyChanges(scene.folders, changes, scene.workspace)).rejects.toThrow(
      "a.txt, c.txt changed since the job began, so nothing was applied",
    );
    expect(scene.read("b.txt")).toBe("b\n");
    // The same change by the user is not a conflict.
    scene.write({ "a.txt": "worker\n", "c.txt": "worker\n" });
    await applyChanges(scene.folders, await scene.changes(), scene.workspace);
    expect(scene.read("b.txt")).toBe("worker\n");
  });

  it("[JOB-526] hold no links, git folders and private files, and do not lead out of the workspace", async () => {
    const scene = await copied({ "a.txt": "one\n", ".env": "KEY=1\n", ".git/config": "g\n" });
    expect(existsSync(join(scene.folders.workspace, ".env"))).toBe(false);
    expect(existsSync(join(scene.folders.workspace, ".git"))).toBe(false);
    symlinkSync("/etc/passwd", join(scene.folders.workspace, "passwd"));
    symlinkSync("/etc", join(scene.folders.workspace, "etc"));
    scene.work({ ".git/hooks/post-checkout": "evil\n", "sub/.openclaw/x": "evil\n" });
    expect(await scene.changes()).toEqual([]);
    // A folder of the user that is a link leads elsewhere.
    const outside = temporaryFolder("outside");
    onTestFinished(() => outside[Symbol.dispose]());
    symlinkSync(outside.path, join(scene.workspace, "link"));
    scene.work({ "link/x.txt": "evil\n" });
    await expect(
      applyChanges(scene.folders, await scene.changes(), scene.workspace),
    ).rejects.toThrow("link/x.txt leads out of the workspace");
    expect(existsSync(join(outside.path, "x.txt"))).toBe(false);
    scene.work({ ".env": "KEY=2\n" });
    await expect(
      applyChanges(scene.folders, await scene.changes(), scene.workspace),
    ).rejects.toThrow("nothing was applied");
    expect(scene.read(".env")).toBe("KEY=1\n");
  });
});
