import { describe, expect, it } from "vitest";
import { readSkillDocument } from "../../src/skills/document.js";

const skill = (matter: string, body = "Do it.") => `---\n${matter}\n---\n${body}\n`;

describe("SKILL.md document", () => {
  it("has front matter with a name and a description, followed by the instructions", async () => {
    const matter =
      'name: mend\ndescription: >\n  Mends\n  things.\nlicense: MIT\nmetadata: { openclaw: { a: 1 } }\nallowed-tools: "Read, Bash(git:*) grep"';
    expect(await readSkillDocument(skill(matter, "\n# Mend\n\n---\nStep.\n"))).toEqual({
      name: "mend",
      description: "Mends things.",
      license: "MIT",
      metadata: { openclaw: { a: 1 } },
      allowedTools: ["Read", "Bash", "grep"],
      body: "# Mend\n\n---\nStep.",
    });
  });

  it("accepts a byte order mark and CRLF", async () => {
    const text = "\uFEFF---\r\nname: mend\r\ndescription: Mends.\r\n---\r\nDo it.\r\n";
    expect(await readSkillDocument(text)).toMatchObject({ name: "mend", body: "Do it." });
  });

  it.each([
    ["# no front matter", /no front matter/],
    [skill("name: [", ""), /not YAML/],
    [skill("- a list"), /not a mapping/],
    [skill("description: Nameless."), /no usable name.*found nothing/],
    [skill("name: ../escape\ndescription: Bad."), /no usable name.*"\.\.\/escape"/],
    [skill("name: mend"), /no description/],
    [skill(`name: mend\ndescription: ${"x".repeat(1025)}`), /at most 1024 characters, found 1025/],
    [skill("name: mend\ndescription: D.\nallowed-tools: 7"), /allowed-tools/],
    [skill("name: mend\ndescription: D.\nallowed-tools: []"), /allowed-tools/],
    [skill("name: &a mend\ndescription: *a"), /not YAML/],
    [skill("name: mend\ndescription: D.", "x".repeat(65_537)), /larger than 65536 bytes/],
  ])("is rejected with an explanation: %.40s", async (text, problem) => {
    expect(await readSkillDocument(text)).toEqual({ problem: expect.stringMatching(problem) });
  });
});
