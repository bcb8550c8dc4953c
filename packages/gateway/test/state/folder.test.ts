import { chmodSync, existsSync, mkdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "@openclaw/foundation/testing";
import { StateFolderError } from "@openclaw/store/errors";
import { describe, expect, it } from "vitest";
import { openStateFolder, stateFolderAt } from "../../src/state/folder.js";

const modeOf = (path: string) => statSync(path).mode & 0o777;

describe("state folder", () => {
  it("has paths that are computed without disk access", () => {
    const folder = stateFolderAt("/nowhere/state");
    expect(folder).toEqual({
      dir: "/nowhere/state",
      databaseFile: "/nowhere/state/openclaw.db",
      lockFile: "/nowhere/state/gateway.lock",
      tokenFile: "/nowhere/state/gateway.token",
      logFile: "/nowhere/state/logs/gateway.log",
      extensionsDir: "/nowhere/state/extensions",
      installedSkillsDir: "/nowhere/state/installed-skills",
      pluginDataDir: "/nowhere/state/plugin-data",
      skillsDir: "/nowhere/state/skills",
      workspaceDir: "/nowhere/state/workspace",
      chatHistoryFile: "/nowhere/state/chat-history.jsonl",
      trustedFoldersFile: "/nowhere/state/trusted-folders.json",
      workspacesFile: "/nowhere/state/workspaces.json",
      pushFile: "/nowhere/state/push.json",
    });
    expect(existsSync("/nowhere")).toBe(false);
  });

  it("is created with access for its user only", () => {
    using place = temporaryFolder();
    const { dir } = openStateFolder(join(place.path, "deep", "state"));
    expect(modeOf(dir)).toBe(0o700);
    expect(modeOf(join(dir, "logs"))).toBe(0o700);
  });

  it("removes the access of other users if it exists already", () => {
    using place = temporaryFolder();
    const dir = join(place.path, "state");
    mkdirSync(dir);
    chmodSync(dir, 0o755);
    openStateFolder(dir);
    expect(modeOf(dir)).toBe(0o700);
  });

  it.each(["state", "state/below"])("reports that a file has the path of %s", (path) => {
    using place = temporaryFolder();
    writeFileSync(join(place.path, "state"), "");
    const dir = join(place.path, path);
    const open = () => openStateFolder(dir);
    expect(open).toThrow(StateFolderError);
    expect(open).toThrow(
      `the state folder ${dir} cannot be created, because a file has this path; move that file, or choose another folder with OPENCLAW_STATE_DIR`,
    );
  });

  it("reports why it cannot be created", () => {
    using place = temporaryFolder();
    const dir = join(place.path, "x".repeat(300));
    const open = () => openStateFolder(dir);
    expect(open).toThrow(StateFolderError);
    expect(open).toThrow(/is not usable \(ENAMETOOLONG.*OPENCLAW_STATE_DIR/);
  });
});
