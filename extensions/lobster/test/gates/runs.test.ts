import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openTestStore } from "@openclaw/plugin-testkit";
import { onTestFinished } from "vitest";
import { describeRuns } from "../support/runs-suite.js";

describeRuns({
  name: "SQLite",
  hasSeveralHosts: false,
  place() {
    const folder = mkdtempSync(join(tmpdir(), "lobster-runs-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    return folder;
  },
  open: (folder) => openTestStore({ folder }),
});
