import { readFileSync } from "node:fs";
import { describe, expect, it, onTestFinished } from "vitest";
import { ReleaseWorkspace } from "../../src/repository/release-workspace.js";

interface Changesets {
  readonly TOPICS: ReadonlyMap<string, string>;
  parseChangeset(content: string): object;
  textProblem(changeset: object): { problem: string } | undefined;
}

const module = new URL("../../../../scripts/releasing/changesets.mjs", import.meta.url).href;
const { TOPICS, parseChangeset, textProblem }: Changesets = await import(module);

const NEED = "It did one thing. It now does another.";

function workspaceOf(packages: Readonly<Record<string, object>>): ReleaseWorkspace {
  const workspace = new ReleaseWorkspace(packages);
  onTestFinished(() => workspace[Symbol.dispose]());
  return workspace;
}

/** Workspace with a host that bundles nothing, and a package that it needs. */
function hostWorkspace(): ReleaseWorkspace {
  return workspaceOf({
    openclaw: { version: "0.1.0", dependencies: { "@openclaw/kit": "workspace:^" } },
    "@openclaw/kit": { version: "0.1.0" },
  });
}

function changeset(text: string, packages: Readonly<Record<string, string>>): string {
  const front = Object.entries(packages).map(([name, bump]) => `"${name}": ${bump}\n`);
  return `---\n${front.join("")}---\n\n${text}\n`;
}

const BOTH = { "@openclaw/kit": "minor", openclaw: "minor" };

describe("changelogs of a release", () => {
  it("[SDK-722] have each change once in that of the workspace: breaking ones first, then by topic", () => {
    const workspace = hostWorkspace();
    workspace.write({
      "CHANGELOG.md":
        "# Changelog\n\nFor readers.\n\n## Unreleased\n\nOne can do more now.\n\n- A list.\n\n## 0.1.0\n\nThe first.\n",
      ".changeset/a.md": changeset("author: Authors had no kit.\nNow they have one.", BOTH),
      ".changeset/b.md": changeset("chat: A correction. It holds.", { openclaw: "patch" }),
      ".changeset/c.md": changeset("chat: Chats were hard:\n- One.\n  Two lines.\n- Two.", {
        openclaw: "minor",
      }),
      ".changeset/d.md": changeset("guard!: A grant covered too much. Grant it again.", BOTH),
      ".changeset/e.md": changeset("chat!: A key moved. Press another.", { openclaw: "minor" }),
    });
    expect(workspace.runVersion()).toMatchObject({ status: 0 });
    expect(workspace.read("CHANGELOG.md")).toBe(`# Changelog

For readers.

## 0.2.0

One can do more now.

- A list.

### Breaking changes

#### Chat with the agent

- A key moved. Press another. [openclaw]

#### Decide what the agent may do

- A grant covered too much. Grant it again. [kit, openclaw]

### Chat with the agent

- Chats were hard: [openclaw]
  - One.
    Two lines.
  - Two.
- A correction. It holds. [openclaw]

### Write plugins

- Authors had no kit.
  Now they have one. [kit, openclaw]

### Versions

- 0.2.0: kit, openclaw

## 0.1.0

The first.
`);
    expect(workspace.waiting()).toEqual([]);
  });

  it("[SDK-722] have the changes of a package in its own, and in one line what it needs", () => {
    const workspace = hostWorkspace();
    const own = "packages/openclaw/CHANGELOG.md";
    workspace.write({
      [own]: "# openclaw\n\n## 0.1.0\n\nThe first.\n",
      ".changeset/a.md": changeset("author: Authors had no kit. Now they have one.", {
        "@openclaw/kit": "minor",
      }),
      ".changeset/b.md": changeset("operate: It was slow. It is fast.", { openclaw: "patch" }),
      ".changeset/c.md": changeset("models!: A key was ignored. It counts.", { openclaw: "minor" }),
    });
    expect(workspace.runVersion()).toMatchObject({ status: 0 });
    expect(workspace.read(own)).toBe(`# openclaw

## 0.2.0

### Breaking changes

- A key was ignored. It counts.

### Run a gateway

- It was slow. It is fast.

Needs version 0.2.0 of kit.

## 0.1.0

The first.
`);
    expect(workspace.read("packages/kit/CHANGELOG.md")).toBe(
      "# @openclaw/kit\n\n## 0.2.0\n\n### Write plugins\n\n- Authors had no kit. Now they have one.\n",
    );
  });

  it("[SDK-722] treat a major version as breaking, and leave out a change that releases nothing", () => {
    const workspace = workspaceOf({ kit: { version: "1.1.0" } });
    workspace.write({
      ".changeset/a.md": changeset(`author: ${NEED}`, { kit: "major" }),
      ".changeset/b.md": "---\n---\n\nA note.\n",
    });
    expect(workspace.runVersion()).toMatchObject({ status: 0 });
    expect(workspace.read("CHANGELOG.md")).toBe(
      `# Changelog\n\nWhat changed for whom, in all packages. The \`CHANGELOG.md\` of a package has its changes only.\n\n## kit 2.0.0\n\n### Breaking changes\n\n#### Write plugins\n\n- ${NEED} [kit]\n\n### Versions\n\n- 2.0.0: kit\n`,
    );
  });
});

describe("pnpm run version", () => {
  it("[SDK-723] names changesets without a known topic with an example, and writes nothing", () => {
    const workspace = hostWorkspace();
    workspace.write({
      ".changeset/a.md": changeset("It changed.\nSo did more.", BOTH),
      ".changeset/b.md": changeset("gaurd: It changed.", { openclaw: "patch" }),
      ".changeset/c.md": changeset(`guard: ${NEED}`, { openclaw: "patch" }),
    });
    const { status, stderr } = workspace.runVersion();
    expect(status).toBe(1);
    expect(stderr).toContain(".changeset/a.md (@openclaw/kit, openclaw): It changed.\n");
    expect(stderr).toContain(".changeset/b.md (openclaw): gaurd: It changed.\n");
    expect(stderr).not.toContain("c.md");
    expect(stderr).toContain("nothing was written, because 2 changesets have no known topic.");
    expect(stderr).toContain('For example "operate: The log grew without limit.');
    expect(workspace.versions()).toEqual({ "@openclaw/kit": "0.1.0", openclaw: "0.1.0" });
    expect(workspace.waiting()).toHaveLength(3);
  });

  it("[SDK-723] lists them after the others in a draft", () => {
    const workspace = hostWorkspace();
    workspace.write({
      ".changeset/a.md": changeset("It changed.", BOTH),
      ".changeset/b.md": changeset(`embed: ${NEED}`, { openclaw: "patch" }),
    });
    expect(workspace.runVersion("--draft")).toMatchObject({ status: 0 });
    expect(workspace.read("CHANGELOG.md")).toContain(
      `### Embed the host\n\n- ${NEED} [openclaw]\n\n### Other changes\n\n- It changed. [kit, openclaw]\n`,
    );
  });

  it("[SDK-723] warns above 30 waiting changesets, and of a missing summary", () => {
    const workspace = hostWorkspace();
    const write = (count: number) => {
      for (let number = 0; number < count; number += 1) {
        const text = changeset(`guard: ${NEED}`, { openclaw: "patch" });
        workspace.write({ [`.changeset/change-${number}.md`]: text });
      }
    };
    write(30);
    const few = workspace.runVersion();
    expect(few).toMatchObject({ status: 0, stderr: expect.not.stringContaining("wait") });
    expect(few.stderr).toContain("CHANGELOG.md has no summary of the release");
    write(31);
    workspace.write({
      "CHANGELOG.md": workspace
        .read("CHANGELOG.md")
        .replace("## 0.1.1", "## Unreleased\n\nMore.\n\n$&"),
    });
    const many = workspace.runVersion();
    expect(many).toMatchObject({ status: 0 });
    expect(many.stderr).toContain("31 changesets wait, more than 30");
    expect(many.stderr).not.toContain("no summary");
    expect(workspace.read("CHANGELOG.md")).toMatch(
      /## 0\.1\.2\n\nMore\.\n\n### Decide .*## 0\.1\.1/s,
    );
  });

  it("[SDK-723] ends with the commands that commit, tag and publish", () => {
    const workspace = hostWorkspace();
    workspace.write({ ".changeset/a.md": changeset(`guard: ${NEED}`, { openclaw: "patch" }) });
    const { stdout } = workspace.runVersion();
    expect(stdout).toContain(`version: release 0.1.1 is written; read CHANGELOG.md. Next:
  git add --all && git commit -m "Release 0.1.1"
  pnpm rehearse-release
  pnpm release-checks
  git tag -a v0.1.1 -m "Release 0.1.1"
  git push origin HEAD v0.1.1
  pnpm release
`);
    const before = workspace.read("CHANGELOG.md");
    const again = workspace.runVersion();
    expect(again).toMatchObject({
      status: 0,
      stdout: expect.stringContaining("nothing to release"),
    });
    expect(workspace.read("CHANGELOG.md")).toBe(before);
  });

  it("[SDK-723] tags each package of a release without the host", () => {
    const workspace = workspaceOf({ kit: { version: "1.1.0" } });
    workspace.write({ ".changeset/a.md": changeset(`author: ${NEED}`, { kit: "minor" }) });
    expect(workspace.runVersion().stdout).toContain(`git tag -a kit@1.2.0 -m "Release kit 1.2.0"`);
  });
});

describe("The text of a new changeset", () => {
  const problemOf = (text: string) =>
    textProblem(parseChangeset(changeset(text, { openclaw: "patch" })))?.problem;

  it("[SDK-724] begins with a known topic", () => {
    expect(problemOf(`guard: ${NEED}`)).toBeUndefined();
    expect(problemOf(`guard!: ${NEED}`)).toBeUndefined();
    for (const text of [NEED, `gaurd: ${NEED}`, `Guard: ${NEED}`, "guard:", `guard:${NEED}`]) {
      expect(problemOf(text), text).toBe("its text does not begin with a known topic");
    }
  });

  it("[SDK-724] has at most 400 characters and three sentences, and code does not end a sentence", () => {
    const long = (length: number) => `guard: ${"a".repeat(length - 1)}.`;
    expect(problemOf(long(400))).toBeUndefined();
    expect(problemOf(long(401))).toContain("its text has 401 characters in 1 sentences");
    expect(problemOf("guard: One. Two. Three.")).toBeUndefined();
    expect(problemOf("guard: One. Two. Three. Four.")).toContain("in 4 sentences");
    expect(problemOf("guard: `a. B. C. D.` was off. It is on.")).toBeUndefined();
  });

  it("[SDK-722] has one of the topics that its recipe lists with their headings", () => {
    const rows = [...TOPICS].map(([topic, heading]) => `| \`${topic}\` | ${heading} |\n`).join("");
    const page = readFileSync(new URL("../../../../CONTRIBUTING.md", import.meta.url), "utf8");
    expect(page).toContain(`| topic | heading in the changelog |\n|---|---|\n${rows}\n`);
  });
});
