import { fileURLToPath } from "node:url";
import { temporaryFolder } from "@openclaw/foundation/testing";
import { describe, expect, it } from "vitest";
import {
  acceptedDifferences,
  compareRows,
  idleReasons,
  readContractRows,
  recordedRows,
  repositoryText,
  unexplained,
} from "../../src/documentation/contract-rows.js";
import { readRequirements } from "../../src/documentation/requirements.js";

const root = fileURLToPath(new URL("../../../..", import.meta.url));
const NOTHING = { withoutSentence: {}, names: {} };

// Recorded by `pnpm contract-rows FOLDER`.
describe("rows of the contract", () => {
  it("have a requirement of the same ID and names that exist, or a reason", () => {
    const rows = recordedRows(root);
    expect(Object.keys(rows).length).toBeGreaterThan(900);
    const found = compareRows(rows, readRequirements(root), repositoryText(root));
    expect(unexplained(found, acceptedDifferences(root))).toEqual([]);
  });

  it("are read from tables with IDs, and from the catalog of hooks", () => {
    using folder = temporaryFolder("contract");
    folder.write({
      "area.md":
        "| id | row |\n|---|---|\n| AB-001 | `gateway.port` sets `PORT` to `8080`. | x |\n",
      "hooks.md":
        "## Rules\n| not_a_hook | x |\n## The catalog\n| name | x |\n| on_start | `runId` | y |\n",
      "README.md": "| AB-002 | no row | x |\n",
    });
    expect(readContractRows(folder.path)).toEqual({
      "AB-001": ["PORT", "gateway.port"],
      "HOOKCAT:on_start": ["runId"],
    });
  });

  it("are reported without a requirement, and with names that nothing has", () => {
    const rows = { "AB-001": ["gateway.port", "maxPort"], "AB-002": ["x"], "CD-001": [] };
    const found = compareRows(rows, [{ id: "AB-001" }], "export const gateway = { port: 1 };");
    expect(unexplained(found, NOTHING)).toEqual([
      "AB-002: no requirement has this ID",
      "CD-001: no requirement has this ID",
      "AB-001: nothing has the name maxPort",
    ]);
    const accepted = {
      withoutSentence: { "AB-002": "Later.", "CD-*": "Later.", "EF-001": "Later." },
      names: { "AB-001": { maxPort: "Fixed.", other: "Gone." } },
    };
    expect(unexplained(found, accepted)).toEqual([]);
    expect(idleReasons(found, accepted)).toEqual(["EF-001", "AB-001 other"]);
  });
});
