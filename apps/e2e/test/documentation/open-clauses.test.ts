import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { openRequirements, readOpenClauses } from "../../src/documentation/open-clauses.js";
import { readRequirements } from "../../src/documentation/requirements.js";

const root = fileURLToPath(new URL("../../../..", import.meta.url));

const CLOSED_BY =
  /^(?:later features|release run|console|jobs|schedules|MCP servers|libSQL|nodes|isolation|measurement|speed|open|beyond the contract|proposed to drop(?:: .+)?)$/;

describe("open clauses", () => {
  it("are exactly the requirements whose limits say that something is not built, not met or different", () => {
    const open = openRequirements(readRequirements(root)).map(({ id }) => id);
    const listed = readOpenClauses(root).map(({ id }) => id);
    expect(listed.toSorted()).toEqual(open.toSorted());
  });

  it("have what their user loses, and what closes them", () => {
    for (const { id, loss, closedBy } of readOpenClauses(root)) {
      expect(loss, id).toMatch(/\.$/);
      expect(closedBy, id).toMatch(CLOSED_BY);
    }
  });

  it("include at most ten that are proposed to drop, none of approvals, safety, turns or hooks", () => {
    const dropped = readOpenClauses(root).filter(({ closedBy }) => closedBy.startsWith("proposed"));
    expect(dropped.length).toBeLessThanOrEqual(10);
    for (const { id } of dropped) expect(id).not.toMatch(/^(?:APPR|SAFE|TURN|HOOK|HOOKCAT|HCR)/);
  });

  it.each([
    ["Due later: the console shows them.", true],
    ["`config set --db` does not exist, because there are no settings in the database.", true],
    ["Not met: 4.6, see the benchmarks.", true],
    ["Attempts with another provider are not built yet.", true],
    ["The count is kept in memory.", false],
    ["A file that arrives later becomes another message.", false],
  ])("recognise the limit %j: %s", (limits, isOpen) => {
    const requirement = { id: "AB-001", page: "area", sentence: "Works.", limits };
    expect(openRequirements([requirement])).toHaveLength(isOpen ? 1 : 0);
  });
});
