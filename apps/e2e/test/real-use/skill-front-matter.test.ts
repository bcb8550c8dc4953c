import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openclaw } from "../../src/command-line.js";
import { emptyPlace, type Place } from "../../src/place.js";
import { startGateway } from "../../src/warm-process.js";

/** Skills with slips that people make; each is to be offered with this description. */
const LENIENT: Readonly<Record<string, readonly [text: string, description: string]>> = {
  colon: [
    "---\nname: colon\ndescription: Reviews code. Triggers on: review\n---\nDo it.\n",
    "Reviews code. Triggers on: review",
  ],
  at: ["---\nname: at\ndescription: @mentions people\n---\nDo it.\n", "@mentions people"],
  tabs: ["---\n\tname: tabs\n\tdescription: Uses: tabs\n---\nDo it.\n", "Uses: tabs"],
  open: ["---\nname: open\ndescription: Works.\n\n# Heading\n\nDo it.\n", "Works."],
  crlf: ["\uFEFF---\r\nname: crlf\r\ndescription: Ends: CRLF\r\n---\r\nDo it.\r\n", "Ends: CRLF"],
  list: [
    "---\nname: list\ndescription: Has a list: of tools\nallowed-tools:\n- read\n- @list\n---\nDo it.\n",
    "Has a list: of tools",
  ],
};

/** Skills that cannot be used, with the reason. */
const LEFT_OUT: Readonly<Record<string, readonly [file: string, text: string, reason: RegExp]>> = {
  nameless: ["SKILL.md", "---\ndescription: Nameless.\n---\n", /no usable name/],
  plain: ["SKILL.md", "# No front matter\n", /no front matter/],
  lower: ["skill.md", "---\nname: lower\ndescription: Works.\n---\n", /must be named SKILL\.md/],
  twin: ["SKILL.md", "---\nname: colon\ndescription: The same name.\n---\n", /the same name/],
};

let place: Place;

beforeAll(() => {
  place = emptyPlace({ LLM_MODEL: "demo/echo" });
  for (const [name, [text]] of Object.entries(LENIENT)) {
    place.writeState({ [`skills/${name}/SKILL.md`]: text });
  }
  for (const [name, [file, text]] of Object.entries(LEFT_OUT)) {
    place.writeState({ [`skills/${name}/${file}`]: text });
  }
  place.writeWorkspace({
    "skills/closed/SKILL.md": "---\nname: closed\ndescription: Of the workspace.\n---\n",
  });
});

afterAll(() => place[Symbol.dispose]());

function expectEveryReason(output: string): void {
  // Lines are wrapped at spaces.
  const text = output.replaceAll(/\s+/g, " ");
  for (const [name, [file, , reason]] of Object.entries(LEFT_OUT)) {
    expect(text).toContain(name === "twin" ? "skills/twin" : `skills/${name}/${file}`);
    expect(text).toMatch(reason);
  }
  expect(text).toContain("skills/closed/SKILL.md");
  expect(text).toContain("not trusted; run `openclaw trust`");
}

describe.each(["without a gateway", "with a running gateway"])("%s", (which) => {
  const isRunning = which === "with a running gateway";
  let gateway: Awaited<ReturnType<typeof startGateway>> | undefined;

  beforeAll(async () => {
    if (isRunning) gateway = await startGateway(place);
  });

  afterAll(() => gateway?.[Symbol.asyncDispose]());

  it("[EXT-220] skills with slips in their front matter are offered", async () => {
    const { exitCode, stdout } = await openclaw(["skills", "list", "--json"], place);
    expect(exitCode).toBe(0);
    const { skills } = JSON.parse(stdout);
    const described = new Map(
      skills.map(({ name, description, hidden }: Record<string, unknown>) => [
        name,
        hidden === true ? "hidden" : description,
      ]),
    );
    for (const [name, [, description]] of Object.entries(LENIENT)) {
      expect(described.get(name), name).toBe(description);
    }
  });

  it("[EXT-220] skills list, status and doctor name every skill that was left out, and why", async () => {
    for (const args of [["skills", "list"], ["status"], ["doctor"]]) {
      const { stdout } = await openclaw(args, place);
      expectEveryReason(stdout);
    }
  });
});
