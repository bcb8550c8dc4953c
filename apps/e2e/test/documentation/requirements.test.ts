import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { contractPage, passedTests } from "../../src/documentation/contract-page.js";
import {
  adviceForUnknown,
  citedIn,
  malformedIn,
  readRequirements,
  requirementsOf,
} from "../../src/documentation/requirements.js";
import { codePassages } from "../../src/prose/passage.js";

const root = fileURLToPath(new URL("../../../..", import.meta.url));

describe("requirements", () => {
  it("have unique IDs and one sentence each", () => {
    const requirements = readRequirements(root);
    expect(requirements.length).toBeGreaterThan(500);
    expect(requirements.map(({ id }) => id)).toContain("HOOKCAT:before_tool_call");
    for (const { id, sentence } of requirements) expect(sentence, id).toMatch(/\.$/);
  });

  it("include every ID cited by a comment or a test title of the repository", () => {
    const requirements = readRequirements(root);
    const ids = new Set(requirements.map(({ id }) => id));
    const unknown: string[] = [];
    for (const file of globSync("{packages,extensions,apps}/*/{src,test,bench}/**/*.{ts,mjs}", {
      cwd: root,
      exclude: ["**/node_modules", "**/dist"],
    })) {
      const source = readFileSync(join(root, file), "utf8");
      if (citedIn(source).every((id) => ids.has(id))) continue;
      for (const { kind, text, line } of codePassages(file, source)) {
        if (kind === "message") continue;
        for (const id of citedIn(text)) {
          if (!ids.has(id)) {
            unknown.push(`${file}:${line} ${id}: ${adviceForUnknown(id, requirements)}`);
          }
        }
      }
    }
    expect(unknown).toEqual([]);
  });

  it("include every ID cited by a page of the documentation", () => {
    const ids = new Set(readRequirements(root).map(({ id }) => id));
    const pages = globSync("{*.md,docs/**/*.md,{packages,extensions,apps}/*/README.md}", {
      cwd: root,
    });
    const unknown = pages.flatMap((page) =>
      citedIn(readFileSync(join(root, page), "utf8"))
        .filter((id) => !ids.has(id))
        .map((id) => `${page}: ${id}`),
    );
    expect(unknown).toEqual([]);
  });
});

describe("requirement page", () => {
  it("is parsed into ID, sentence and limits of each row, and keeps escaped bars", () => {
    const page = "# Area\n\n| id | requirement | known limits |\n|---|---|---|\n";
    expect(requirementsOf("area", `${page}| AB-001 | Takes \`a \\| b\`. | |\n`)).toEqual([
      { id: "AB-001", page: "area", sentence: "Takes `a \\| b`.", limits: "" },
    ]);
  });

  it.each([
    ["| AB-001 | Works. |", "expected | id | requirement | limits |"],
    ["| AB-001 | | None. |", "expected | id | requirement | limits |"],
    ["| AB-001 | One. | |\n| AB-001 | Two. | |", "has AB-001 twice"],
  ])("is rejected when it is malformed, %#", (rows, message) => {
    expect(() => requirementsOf("area", rows)).toThrow(message);
  });
});

describe("unknown requirement", () => {
  const requirements = [
    { id: "AB-001", page: "first", sentence: "It works.", limits: "" },
    { id: "CD-100", page: "second", sentence: "It works.", limits: "" },
  ];

  it.each([
    ["AB-002", "cite AB-001 if you mean it, or add the row", "docs/requirements/first.md"],
    ["CD-999", "add the row", "docs/requirements/second.md"],
    ["XY-555", 'add the row "| XY-555 | <sentence> | |"', "docs/requirements/<area>.md"],
  ])(
    "[SDK-460] is reported with the nearest one and the page for a new row, %#",
    (id, ...parts) => {
      for (const part of parts) expect(adviceForUnknown(id, requirements)).toContain(part);
    },
  );
});

describe("test citations", () => {
  it("are IDs of requirements and hooks, each once, without names of standards", () => {
    expect(citedIn("[AB-001, HOOKCAT:agent_end] AB-001 by SHA-256 and ISO-8601")).toEqual([
      "AB-001",
      "HOOKCAT:agent_end",
    ]);
  });
});

describe("malformed citations", () => {
  it("[SDK-950] are found at the start of a title, and not in other strings", () => {
    const cited = ["GW-34", "GW-005, GW-9340", "gw-005, TURN_12", "GW5"];
    const titles = cited.map((ids) => `it("[${ids}] works", run);`);
    expect(malformedIn(titles.join("\n"))).toEqual([
      ...["GW-34", "GW-9340", "gw-005", "TURN_12", "GW5"],
    ]);
    const others = ["[GW-005] works", "[HOOKCAT:agent_end] works", "[fd00::1]:80", "[a1]", "[x] y"];
    expect(malformedIn(others.map((text) => `it("${text}", run);`).join("\n"))).toEqual([]);
  });
});

describe("contract page", () => {
  const requirement = { id: "AB-001", page: "area", sentence: "Works.", limits: "" };
  const report = (fullName: string, status = "passed") => ({
    testResults: [
      {
        name: "/anywhere/packages/store/test/turns/journal.test.ts",
        assertionResults: [
          { status, fullName },
          { status, fullName: `${fullName} again` },
        ],
      },
    ],
  });

  it("lists sentence, number of tests and files of each requirement", () => {
    const tests = passedTests(report("[AB-001] works"));
    expect(contractPage([requirement], tests, citedIn)).toContain(
      "| [AB-001](requirements/area.md) | Works. | 2: [store: journal](../packages/store/test/turns/journal.test.ts) |\n",
    );
  });

  it("shows requirements that no passed test cites", () => {
    const tests = passedTests(report("[AB-001] works", "failed"));
    expect(contractPage([requirement], tests, citedIn)).toContain("| Works. | none |\n");
  });

  it("rejects a test that cites an unknown id", () => {
    const tests = passedTests(report("[AB-002] works"));
    expect(() => contractPage([requirement], tests, citedIn)).toThrow(
      "packages/store/test/turns/journal.test.ts cites AB-002",
    );
  });
});
