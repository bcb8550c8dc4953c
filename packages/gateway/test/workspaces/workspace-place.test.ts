import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "@openclaw/foundation/testing";
import { describe, expect, it } from "vitest";
import { assertWorkspacePlace } from "../../src/workspaces/workspace-place.js";
import { startTestGateway } from "../support/gateway.js";

describe("workspace of a gateway", () => {
  it("[GW-481] is rejected inside the state folder, also behind a link, except its open part", () => {
    using folder = temporaryFolder();
    const state = join(folder.path, "state");
    mkdirSync(join(state, "plugins"), { recursive: true });
    symlinkSync(join(state, "plugins"), join(folder.path, "link"));
    const place = (dir: string) => () => assertWorkspacePlace(dir, state);
    for (const dir of [
      state,
      join(state, "plugins"),
      join(folder.path, "link"),
      join(state, "new/one"),
    ]) {
      expect(place(dir)).toThrow(/is inside the state folder .*agents\.defaults\.workspace/);
    }
    for (const dir of [
      folder.path,
      join(state, "workspace"),
      join(state, "workspace/a"),
      join(folder.path, "state2"),
    ]) {
      expect(place(dir)).not.toThrow();
    }
  });

  it("[GW-481] ends the start with an error that names both folders", async () => {
    using folder = temporaryFolder();
    const workspaceDir = join(folder.path, "state", "sessions");
    await expect(startTestGateway(folder, { workspaceDir })).rejects.toMatchObject({
      code: "WORKSPACE_IN_STATE_FOLDER",
      message: expect.stringContaining(workspaceDir),
    });
  });
});
