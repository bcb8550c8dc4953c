import { existsSync } from "node:fs";
import { join } from "node:path";
import { temporaryWorkspace } from "@openclaw/foundation/testing";
import { afterEach, describe, expect, it, vi } from "vitest";
import { CreatedRepositories } from "../../../src/process/bubblewrap/created-repositories.js";

afterEach(() => void vi.useRealTimers());

describe("folders that a command creates", () => {
  it("[TURN-261] are renamed while the command still runs, at any depth, and once more when it creates them again", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
    const tree = await temporaryWorkspace();
    const path = join(tree.workspaceDir, "a/b/.git");
    await tree.file("workspace/own/.git/config", "kept");
    const watch = await CreatedRepositories.watch({
      folders: [tree.workspaceDir],
      placeholders: [],
      pass: "",
    });
    for (const aside of [".created-in-sandbox", ".created-in-sandbox-2"]) {
      await tree.file("workspace/a/b/.git/config", "fsmonitor");
      await vi.advanceTimersByTimeAsync(2000);
      await vi.waitUntil(() => !existsSync(path));
      expect(existsSync(`${path}${aside}`)).toBe(true);
      await vi.waitUntil(() => vi.getTimerCount() > 0);
    }
    expect(await watch.end()).toEqual([path, path]);
    expect(existsSync(join(tree.workspaceDir, "own/.git/config"))).toBe(true);
    expect(vi.getTimerCount()).toBe(0);
  });
});
