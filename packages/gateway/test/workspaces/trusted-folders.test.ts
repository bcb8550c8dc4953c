import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "@openclaw/foundation/testing";
import { expect, it } from "vitest";
import { TrustedFolders } from "../../src/workspaces/trusted-folders.js";

it("[GW-084] the list of trusted folders is followed in a running gateway when a command changes it", () => {
  using folder = temporaryFolder();
  const file = join(folder.path, "trusted.json");
  const running = new TrustedFolders(file);
  const command = new TrustedFolders(file);
  expect(running.includes("/work/project")).toBe(false);
  command.decide("/work", true);
  expect(running.includes("/work/project")).toBe(true);
  expect(running.isDecided("/work/project")).toBe(true);
  command.decide("/work/project", false);
  expect(running.includes("/work/project")).toBe(false);
  expect(running.includes("/work/other")).toBe(true);
  command.decide("/work", false);
  expect(running.includes("/work/other")).toBe(false);
  command.decide("/work", true);
  writeFileSync(file, "damaged");
  expect(running.includes("/work/other")).toBe(false);
});
