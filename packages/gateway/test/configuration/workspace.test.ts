import { homedir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { workspaceOf } from "../../src/configuration/workspace.js";

describe("workspaceOf", () => {
  it.each([
    [undefined, "/here"],
    ["/srv/notes", "/srv/notes"],
    ["notes", "/etc/openclaw/notes"],
    ["~/notes", join(homedir(), "notes")],
    ["~", homedir()],
  ])("[GW-058] returns the folder of %s", (workspace, folder) => {
    const value = { agents: { defaults: workspace === undefined ? {} : { workspace } } };
    expect(workspaceOf({ value, file: "/etc/openclaw/openclaw.json" }, "/here")).toBe(folder);
  });
});
