import { homedir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { configuredWorkspaceOf } from "../src/workspace.js";

describe("configuredWorkspaceOf", () => {
  it.each([
    [undefined, undefined],
    ["/srv/notes", "/srv/notes"],
    ["notes", "/etc/openclaw/notes"],
    ["~/notes", join(homedir(), "notes")],
    ["~", homedir()],
  ])("[GW-058] returns the folder of %s", (workspace, folder) => {
    const value = { agents: { defaults: workspace === undefined ? {} : { workspace } } };
    expect(configuredWorkspaceOf({ value, file: "/etc/openclaw/openclaw.json" }, "/here")).toBe(
      folder,
    );
  });

  it.each([
    ["notes", "/etc/openclaw/notes"],
    ["main", "/srv/all"],
    ["constructor", "/srv/all"],
    ["defaults", "/srv/all"],
    [undefined, "/srv/all"],
  ])("[GW-058] prefers the own workspace of an agent: %s", (agentId, folder) => {
    const value = {
      agents: { defaults: { workspace: "/srv/all" }, notes: { workspace: "notes" } },
    };
    const configuration = { value, file: "/etc/openclaw/openclaw.json" };
    expect(configuredWorkspaceOf(configuration, "/here", agentId)).toBe(folder);
  });
});
