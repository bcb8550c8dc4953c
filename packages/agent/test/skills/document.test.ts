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

  it("[EXT-531] has the name of its folder without a usable one, where the origin names skills by folder", async () => {
    for (const written of ["name: Mend Things\n", ""]) {
      const text = skill(`${written}description: Mends.`);
      expect(await readSkillDocument(text, "mend-things")).toMatchObject({ name: "mend-things" });
      expect(await readSkillDocument(text)).toHaveProperty("problem");
    }
    const named = skill("name: mend\ndescription: Mends.");
    expect(await readSkillDocument(named, "other")).toMatchObject({ name: "mend" });
  });

  it("accepts a byte order mark and CRLF", async () => {
    const text = "\uFEFF---\r\nname: mend\r\ndescription: Mends.\r\n---\r\nDo it.\r\n";
    expect(await readSkillDocument(text)).toMatchObject({ name: "mend", body: "Do it." });
  });

  it.each([
    [
      "a colon",
      "description: Reviews code. Triggers on: review",
      "Reviews code. Triggers on: review",
    ],
    ["a colon at the end", "description: Use it when:", "Use it when:"],
    ["no space after the key", "description:Reviews code", "Reviews code"],
    ["a leading @", "description: @me and others", "@me and others"],
    ["a leading `", "description: `git` commands: all", "`git` commands: all"],
    ["a leading %", "description: %d values", "%d values"],
    ["a leading dash", "description: - reviews code", "- reviews code"],
    ["a leading bracket", "description: [beta] Reviews code", "[beta] Reviews code"],
    ["a leading asterisk", "description: *Reviews* code", "*Reviews* code"],
    ["a leading hash", "description: #text Reviews code", "#text Reviews code"],
    ["a leading brace", "description: {code}: reviews it", "{code}: reviews it"],
    ["a brace that closes", "description: {code}", "{code}"],
    ["a list in brackets", "description: [beta]", "[beta]"],
    [
      "a leading exclamation mark",
      "description: !important: reviews code",
      "!important: reviews code",
    ],
    ["an apostrophe in quotes", "description: 'It's for reviews'", "It's for reviews"],
    ["a quotation mark", 'description: "Reviews" code', '"Reviews" code'],
    ["an open quotation mark", 'description: "Reviews code', '"Reviews code'],
    ["a backslash in quotes", 'description: "Reads C:\\Users"', "Reads C:\\Users"],
    ["tabs before the keys", "\tdescription: Reviews: code", "Reviews: code"],
    ["a tab after the key", "description:\tReviews: code", "Reviews: code"],
    [
      "several lines",
      "description: Reviews code.\n  Triggers on: review",
      "Reviews code. Triggers on: review",
    ],
    ["folded lines after a tab", "description: >\n\tReviews\n\tcode", "Reviews code"],
    ["a number", "description: 2024", "2024"],
    ["a key twice", "description: Old.\ndescription: New.", "New."],
  ])("[EXT-220] reads a description with %s", async (_what, line, description) => {
    const indent = line.startsWith("\t") ? "\t" : "";
    const text = skill(`${indent}name: mend\n${line}`);
    expect(await readSkillDocument(text)).toMatchObject({ name: "mend", description });
    expect(await readSkillDocument(text.replaceAll("\n", "\r\n"))).toMatchObject({ description });
  });

  it.each([
    ["a flow list", "allowed-tools: [Read, Bash]"],
    ["a list at the margin", "allowed-tools:\n- Read\n- Bash"],
    ["an indented list", "allowed-tools:\n    - Read\n    - Bash"],
    ["a text", "allowed-tools: Read, Bash(git: *)"],
  ])(
    "[EXT-220] keeps the tools of a skill whose description has a colon: %s",
    async (_what, tools) => {
      const text = skill(`name: mend\n${tools}\ndescription: Triggers on: review`);
      expect(await readSkillDocument(text)).toMatchObject({
        description: "Triggers on: review",
        allowedTools: ["Read", "Bash"],
      });
    },
  );

  it("[EXT-220] keeps nested metadata next to a value that is not YAML", async () => {
    const text = skill(
      "name: mend\ndescription: Use: often\nmetadata:\n  openclaw:\n    emoji: @\n    whenConfig: { on: true }\n    owner: 9007199254740995",
    );
    expect(await readSkillDocument(text)).toMatchObject({
      metadata: { openclaw: { emoji: "@", whenConfig: { on: true }, owner: "9007199254740995" } },
    });
  });

  it.each([
    ["a heading", "# Mend\n\nDo it."],
    ["a paragraph", "\nDo it.\n\n---\n\nThen stop."],
    ["a heading after a blank line", "\n# Mend\n\nDo it."],
  ])("[EXT-220] reads settings without a closing line, before %s", async (_what, body) => {
    const text = `---\nname: mend\ndescription: Mends: all\n${body}\n`;
    expect(await readSkillDocument(text)).toMatchObject({
      ...{ name: "mend", description: "Mends: all", body: body.trim() },
    });
  });

  it.each([
    ["# no front matter", /no front matter/],
    [skill("name: [", ""), /no usable name.*"\["/],
    [skill("{ name: [", ""), /not YAML/],
    [skill("- a list"), /not a mapping/],
    [skill("description: Nameless."), /no usable name.*found nothing/],
    [skill("name: ../escape\ndescription: Bad."), /no usable name.*"\.\.\/escape"/],
    [skill("name: mend"), /no description/],
    [skill(`name: mend\ndescription: ${"x".repeat(1025)}`), /at most 1024 characters, found 1025/],
    [skill("name: mend\ndescription: D.\nallowed-tools: 7"), /allowed-tools/],
    [skill("name: mend\ndescription: D.\nallowed-tools: []"), /allowed-tools/],
    [skill("name: &a [*b, *b]\ndescription: *a"), /no usable name/],
    [skill("name: mend\ndescription: D.", "x".repeat(65_537)), /larger than 65536 bytes/],
  ])("is rejected with an explanation: %.40s", async (text, problem) => {
    expect(await readSkillDocument(text)).toEqual({ problem: expect.stringMatching(problem) });
  });
});
