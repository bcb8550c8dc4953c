import { homedir } from "node:os";
import { join } from "node:path";
import { temporaryWorkspace } from "@openclaw/foundation/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CoreToolOptionsError, ToolRefusalError } from "../../src/errors.js";
import { WorkspacePaths } from "../../src/files/workspace-paths.js";

/** Returns the real path, or the reason for its rejection. */
async function outcome(paths: WorkspacePaths, given: string): Promise<string> {
  try {
    return await paths.resolve(given);
  } catch (error) {
    if (ToolRefusalError.isInstance(error)) return error.reason;
    throw error;
  }
}

describe("workspace paths", () => {
  it("accept relative and absolute paths inside, existing or not", async () => {
    const tree = await temporaryWorkspace();
    const paths = new WorkspacePaths(tree);
    const inside = await tree.file("workspace/a/b.txt");

    expect(await outcome(paths, "a/b.txt")).toBe(inside);
    expect(await outcome(paths, inside)).toBe(inside);
    expect(await outcome(paths, ".")).toBe(tree.workspaceDir);
    expect(await outcome(paths, "new/deep/file.txt")).toBe(
      join(tree.workspaceDir, "new/deep/file.txt"),
    );
  });

  it("are checked by the real path, not by the spelling of ..", async () => {
    const tree = await temporaryWorkspace();
    const paths = new WorkspacePaths(tree);
    const inside = await tree.file("workspace/a/b.txt");

    expect(await outcome(paths, "a/../a/./b.txt")).toBe(inside);
    expect(await outcome(paths, "../workspace/a/b.txt")).toBe(inside);
    expect(await outcome(paths, "missing/../a/b.txt")).toBe(inside);
    expect(await outcome(paths, "../elsewhere.txt")).toBe("outside-workspace");
    expect(await outcome(paths, "a/../../elsewhere.txt")).toBe("outside-workspace");
  });

  it("follow links before a later .. is applied", async () => {
    const tree = await temporaryWorkspace();
    const paths = new WorkspacePaths(tree);
    await tree.folder("outside/deep");
    await tree.link("workspace/way-out", join(tree.base, "outside/deep"));
    await tree.file("workspace/secret.txt");

    expect(await outcome(paths, "way-out/../secret.txt")).toBe("outside-workspace");
    expect(await outcome(paths, "way-out/../../workspace/secret.txt")).toBe(
      join(tree.workspaceDir, "secret.txt"),
    );
  });

  it.each([
    ["to a file outside", "../outside/file.txt", "link", "outside-workspace"],
    ["to a folder outside", "../outside", "link/file.txt", "outside-workspace"],
    ["to a file that does not exist yet", "../outside/new.txt", "link", "outside-workspace"],
    ["to itself", "link", "link", "invalid-value"],
  ])("reject a link %s", async (_case, target, given, reason) => {
    const tree = await temporaryWorkspace();
    await tree.file("outside/file.txt");
    await tree.link("workspace/link", target);

    expect(await outcome(new WorkspacePaths(tree), given)).toBe(reason);
  });

  it("follow links that stay inside, and chains of them", async () => {
    const tree = await temporaryWorkspace();
    const inside = await tree.file("workspace/real/file.txt");
    await tree.link("workspace/first", "second");
    await tree.link("workspace/second", "./real");

    expect(await outcome(new WorkspacePaths(tree), "first/file.txt")).toBe(inside);
  });

  it("work when the workspace itself is reached through a link", async () => {
    const tree = await temporaryWorkspace();
    const inside = await tree.file("workspace/file.txt");
    const workspaceDir = await tree.link("by-link", tree.workspaceDir);
    const paths = new WorkspacePaths({ ...tree, workspaceDir });

    expect(await outcome(paths, "file.txt")).toBe(inside);
    expect(await outcome(paths, join(workspaceDir, "file.txt"))).toBe(inside);
    expect(await paths.display(inside)).toBe("file.txt");
  });

  it("include further roots, but no folder with only the same prefix", async () => {
    const tree = await temporaryWorkspace();
    const notes = await tree.file("notes/today.md");
    const paths = new WorkspacePaths({ ...tree, roots: [join(tree.base, "notes")] });

    expect(await outcome(paths, notes)).toBe(notes);
    expect(await paths.display(notes)).toBe(notes);
    expect(await outcome(paths, join(tree.base, "notes-private/today.md"))).toBe(
      "outside-workspace",
    );
    expect(await outcome(paths, `${tree.workspaceDir}-private/x`)).toBe("outside-workspace");
  });

  it("expand ~ to the home folder", async () => {
    const tree = await temporaryWorkspace();
    expect(await outcome(new WorkspacePaths(tree), "~/notes.txt")).toBe("outside-workspace");
    const home = new WorkspacePaths({ ...tree, roots: [homedir()] });
    expect(await outcome(home, "~/openclaw-no-such-file")).toMatch(/openclaw-no-such-file$/);
    expect(await outcome(home, "~openclaw")).toBe(join(tree.workspaceDir, "~openclaw"));
  });

  it.each(["", "a\0b", "\0"])("reject %j", async (given) => {
    const tree = await temporaryWorkspace();
    expect(await outcome(new WorkspacePaths(tree), given)).toBe("invalid-value");
  });

  it("reveal nothing about files outside", async () => {
    const tree = await temporaryWorkspace();
    const existing = await tree.file("outside/file.txt");
    const paths = new WorkspacePaths(tree);
    const missing = existing.replace("file.txt", "none.txt");

    const about = (given: string) =>
      paths.resolve(given).catch((error: Error) => error.message.replaceAll(given, "<path>"));
    expect(await about(missing)).toBe(await about(existing));
  });
});

describe("secret files", () => {
  it("[SAFE-047] are closed in every place and through every link", async () => {
    const tree = await temporaryWorkspace();
    const paths = new WorkspacePaths(tree);
    await tree.file("workspace/.env");
    await tree.link("workspace/notes.txt", ".env");
    const closed = [
      ".env",
      ".ENV",
      ".env.production.dist",
      "notes.txt",
      "server.pem",
      ".ssh/config",
      "deep/.aws/credentials",
      ".npmrc",
      ".bash_history",
    ];
    for (const path of closed)
      expect([path, await outcome(paths, path)]).toEqual([path, "sensitive-path"]);
    const open = [".env.example", ".env.template", "server.pem.dist", ".envrc", "environment.ts"];
    for (const path of open) expect(await outcome(paths, path)).toBe(join(tree.workspaceDir, path));
  });
});

describe("state folder", () => {
  it("is closed inside the workspace, with the message used for any place outside", async () => {
    const tree = await temporaryWorkspace();
    const secret = await tree.file("workspace/.state/secret.db");
    const paths = new WorkspacePaths({ ...tree, stateDir: join(tree.workspaceDir, ".state") });

    const message = (given: string) =>
      paths.resolve(given).catch((error: Error) => error.message.replaceAll(given, "<path>"));
    expect(await message(secret)).toBe(await message("/etc/passwd"));
    expect(await outcome(paths, ".state")).toBe("outside-workspace");
    expect(await outcome(paths, ".state/../.state/new.txt")).toBe("outside-workspace");
    expect(await outcome(paths, ".state-notes/x")).toBe(join(tree.workspaceDir, ".state-notes/x"));
  });

  it("is closed through links, and when the boundary names it through one", async () => {
    const tree = await temporaryWorkspace();
    await tree.file("workspace/.state/secret.db");
    await tree.link("workspace/innocent", ".state");
    const stateDir = await tree.link("state-link", join(tree.workspaceDir, ".state"));
    const paths = new WorkspacePaths({ ...tree, stateDir });

    expect(await outcome(paths, "innocent/secret.db")).toBe("outside-workspace");
    expect(await outcome(paths, ".state/secret.db")).toBe("outside-workspace");
  });

  it("is closed before it exists, in any letter case", async () => {
    const tree = await temporaryWorkspace();
    const paths = new WorkspacePaths({ ...tree, stateDir: join(tree.workspaceDir, ".state") });

    expect(await outcome(paths, ".state/planted.json")).toBe("outside-workspace");
    expect(await outcome(paths, ".STATE/planted.json")).toBe("outside-workspace");
  });

  it("closes a workspace and roots inside it", async () => {
    const tree = await temporaryWorkspace();
    const paths = new WorkspacePaths({ ...tree, stateDir: tree.base, roots: [tree.base] });
    expect(await outcome(paths, "file.txt")).toBe("outside-workspace");
  });

  it("opens only its one workspace folder", async () => {
    const tree = await temporaryWorkspace();
    const workspaceDir = await tree.folder("state/workspace");
    const open = { stateDir: tree.stateDir, stateWorkspaceDir: workspaceDir };
    const paths = new WorkspacePaths({ workspaceDir, ...open });

    expect(await outcome(paths, "file.txt")).toBe(join(workspaceDir, "file.txt"));
    expect(await outcome(paths, "../secret.db")).toBe("outside-workspace");
    expect(await outcome(paths, "../workspace-2/x")).toBe("outside-workspace");
  });
});

describe("boundary options", () => {
  it.each([
    ["workspaceDir", { workspaceDir: "work", stateDir: "/s" }],
    ["roots", { workspaceDir: "/w", stateDir: "/s", roots: ["notes"] }],
    ["stateDir", { workspaceDir: "/w", stateDir: "s" }],
    ["stateWorkspaceDir", { workspaceDir: "/w", stateDir: "/s", stateWorkspaceDir: "/s" }],
    ["stateWorkspaceDir", { workspaceDir: "/w", stateDir: "/s", stateWorkspaceDir: "/st/w" }],
  ])("are rejected with their name: %s", (option, folders) => {
    expect(() => new WorkspacePaths(folders)).toThrow(
      expect.objectContaining({ code: CoreToolOptionsError.code, option }),
    );
  });
});

describe("workspace containment", () => {
  it("returns only paths inside the workspace or the root, for any input", async () => {
    const tree = await temporaryWorkspace();
    const root = await tree.folder("root");
    await tree.file("workspace/a/b/file.txt");
    await tree.file("workspace/.state/secret.db");
    await tree.file("outside/file.txt");
    await tree.link("workspace/out", join(tree.base, "outside"));
    await tree.link("workspace/a/up", "..");
    await tree.link("workspace/closed", ".state");
    await tree.link("workspace/dangling", "../outside/none");
    await tree.link("root/back", tree.workspaceDir);
    const stateDir = join(tree.workspaceDir, ".state");
    const paths = new WorkspacePaths({ ...tree, stateDir, roots: [root] });

    const name = fc.constantFrom(
      ...["..", ".", "", "a", "b", "file.txt", "out", "up", "closed", "dangling", "back", "new"],
      ...[".state", ".STATE", "secret.db", "workspace", "root", "outside", "~", "\u202e", "é"],
    );
    const given = fc
      .tuple(fc.constantFrom("", "/", `${tree.base}/`, `${root}/`, "~/"), fc.array(name))
      .map(([start, names]) => start + names.join("/"));
    await fc.assert(
      fc.asyncProperty(given, async (path) => {
        const real = await outcome(paths, path);
        if (!real.startsWith("/")) return;
        const opened = [tree.workspaceDir, root];
        expect(opened.some((folder) => `${real}/`.startsWith(`${folder}/`))).toBe(true);
        expect(`${real}/`.toLowerCase()).not.toContain(`${stateDir}/`.toLowerCase());
        expect(await paths.resolve(real)).toBe(real);
      }),
      { numRuns: 300 },
    );
  });
});
