import { StdinBuffer } from "@earendil-works/pi-tui";
import type { Decision, DecisionOfUser } from "@openclaw/client/conversation";
import type { ApprovalSummary } from "@openclaw/protocol";
import { describe, expect, it } from "vitest";
import { ApprovalCard } from "../../../src/chat/screen/approval-card.js";

const ESCAPE = "\u001b";
const ENTER = "\r";

/** Keys of a terminal by name, as it sends them. */
const KEYS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    [..."abcdefghijklmnopqrstuvwxyzAYN0189 -_.,;:/!?[]()<>'\"äß"].map((key) => [key, key]),
  ),
  ...{ escape: ESCAPE, tab: "\t", "shift-tab": `${ESCAPE}[Z`, backspace: "\u007f" },
  ...{ up: `${ESCAPE}[A`, down: `${ESCAPE}[B`, right: `${ESCAPE}[C`, left: `${ESCAPE}[D` },
  ...{ home: `${ESCAPE}[H`, end: `${ESCAPE}[F`, insert: `${ESCAPE}[2~`, delete: `${ESCAPE}[3~` },
  ...{
    "page up": `${ESCAPE}[5~`,
    "page down": `${ESCAPE}[6~`,
    F1: `${ESCAPE}OP`,
    F5: `${ESCAPE}[15~`,
  },
  ...{ "ctrl-a": "\u0001", "ctrl-g": "\u0007", "ctrl-x": "\u0018", "ctrl-z": "\u001a" },
  ...{ "alt-n": `${ESCAPE}n`, "alt-left": `${ESCAPE}[1;3D`, "ctrl-up": `${ESCAPE}[1;5A` },
};
const TAKES_BACK = new Set(
  ["escape", "shift-tab", "insert", "F1", "F5", "ctrl-g", "ctrl-x", "ctrl-z"].concat(
    ...["alt-n", "alt-left", "ctrl-up"],
  ),
);
const ANSWERS = new Set(["y", "a", "A", "Y"]);

const REQUEST: ApprovalSummary = {
  id: "apr_01M80TZ1X1AG5HG70F2QTRR8VE",
  code: "K7MPQ2",
  kind: "exec",
  state: "pending",
  title: "Run command?",
  description: "",
  severity: "warning",
  tool: "exec",
  params: { command: "git push" },
  text: '{"command":"git push"}',
  digest: "3fa9c01b".repeat(8),
  sessionKey: "agent:main:main",
  agentId: "main",
  requester: { channel: "terminal", accountId: "default", senderId: "operator" },
  alsoRequestedBy: [],
  allowedDecisions: ["allow-once", "allow-always", "deny"],
  grantScope: "session",
  timeoutBehavior: "deny",
  createdAt: Date.now(),
  expiresAt: Date.now() + 60_000,
};

/** Shows a card that has the keys. */
function openCard(approval: Partial<ApprovalSummary> = {}) {
  const decisions: Decision[] = [];
  const inputs: unknown[] = [];
  const card = new ApprovalCard({
    approval: { ...REQUEST, ...approval },
    ...{ sessionKey: REQUEST.sessionKey, workspaceDir: "/work", rows: () => 40 },
    expansion: { isExpanded: false },
    decide: ({ decision, input }: DecisionOfUser) => {
      decisions.push(decision);
      inputs.push(input);
    },
    dismiss: () => {},
    leave: () => {},
    type: () => {},
  });
  card.focused = true;
  /** Gives the card everything that one write of a terminal contains. */
  const write = (data: string) => {
    const keyboard = new StdinBuffer();
    keyboard.on("data", (sequence) => card.handleInput(sequence));
    keyboard.process(data);
    for (const sequence of keyboard.flush()) card.handleInput(sequence);
    keyboard.destroy();
  };
  return { card, decisions, inputs, write };
}

/** Says whether Enter after these keys may allow the call. */
function mayAllow(before: string, keys: readonly string[], isSearchable: boolean): boolean {
  if (keys.includes("escape")) return false;
  // What follows is the text that is searched.
  if (isSearchable && keys[0] === "/") return false;
  const all = isSearchable && keys[1] === "/" ? [before] : [before, ...keys];
  if (all.length === 1) return false;
  return (
    all.findLastIndex((key) => ANSWERS.has(key)) > all.findLastIndex((key) => TAKES_BACK.has(key))
  );
}

describe("approval card", () => {
  it.each([
    ["with a prefix", { grantPrefixes: ["git push"] }],
    ["without a prefix", { kind: "tool" as const }],
    ["with a change that can be searched", { kind: "tool" as const, change: "+++ b/a\n+yes\n" }],
  ])(
    "[GW-340] %s allows nothing after Escape or an unknown key, for all pairs of keys in one write",
    (_, approval) => {
      const wrong: string[] = [];
      let count = 0;
      for (const before of "change" in approval ? ["", "y"] : ["", "a", "y", "n"]) {
        for (const first of Object.keys(KEYS)) {
          for (const second of [...Object.keys(KEYS), "enter"]) {
            const { decisions, write } = openCard(approval);
            write(before);
            write(`${KEYS[first]}${KEYS[second] ?? ENTER}${ENTER}`);
            count += 1;
            const isAllowed = decisions.some((decision) => decision !== "deny");
            const mayBe = mayAllow(before, [first, second], "change" in approval);
            if (isAllowed && !mayBe) {
              wrong.push(`${before}, then ${first} ${second} enter: ${decisions}`);
            }
          }
        }
      }
      expect(count).toBeGreaterThan(10_000);
      expect(wrong).toEqual([]);
    },
  );

  it("[GW-340] allows nothing without an answer that is pressed, nor after a key that it does not know, for triples of keys with mouse, focus and paste in one write", () => {
    const named = (names: readonly string[]) => names.map((name) => [name, KEYS[name] ?? name]);
    const keys = Object.fromEntries([
      ...named(["y", "a", "n", "escape", "F1", "ctrl-x", "alt-n", "page up"]),
      ["mouse", `${ESCAPE}[<0;10;5M${ESCAPE}[<0;10;5m`],
      ["focus", `${ESCAPE}[I`],
      ["paste", `${ESCAPE}[200~y${ENTER}${ESCAPE}[201~`],
    ]);
    const wrong: string[] = [];
    const names = Object.keys(keys);
    const triples = names.flatMap((first) =>
      names.flatMap((second) => names.map((third) => [first, second, third])),
    );
    for (const triple of triples) {
      const { decisions, write } = openCard({ grantPrefixes: ["git push"] });
      write(`${triple.map((name) => keys[name]).join("")}${ENTER}`);
      const isAnswered = triple.some((name) => ANSWERS.has(name));
      const isTakenBack = TAKES_BACK.has(triple.at(-1) ?? "");
      const isAllowed = decisions.some((decision) => decision !== "deny");
      if (isAllowed && (!isAnswered || isTakenBack)) wrong.push(`${triple}: ${decisions}`);
    }
    expect(triples).toHaveLength(1331);
    expect(wrong).toEqual([]);
  });

  it("[GW-802] explains its keys after ?, and takes the choice back", () => {
    const { card, decisions, write } = openCard({ allowedDecisions: ["allow-once", "deny"] });
    const text = () => card.render(160).join("\n");
    expect(text()).toContain("? explains the keys");
    write("y?\r");
    expect(decisions).toEqual([]);
    for (const line of [
      /y +allows this call/,
      /n +denies the call/,
      /Esc +takes the letter back/,
    ]) {
      expect(text()).toMatch(line);
    }
    expect(text()).not.toContain("calls like it");
    write("?");
    expect(text()).not.toContain("takes the letter back");
    write("n\r");
    expect(decisions).toEqual(["deny"]);
  });

  it("[GW-442] scrolls a long diff to its end and back to its start, and keeps the choice", () => {
    const added = Array.from({ length: 60 }, (_, index) => `+line ${index + 1}`);
    const change = ["--- a/list.txt", "+++ b/list.txt", "@@ -0,0 +1,60 @@", ...added].join("\n");
    const { card, decisions, write } = openCard({ kind: "tool", change });
    const text = () => card.render(80).join("\n");
    expect(text()).not.toContain("line 60");
    write("y");
    write(KEYS.end ?? "");
    expect(text()).toContain("line 60");
    expect(text()).not.toContain("a/list.txt");
    write(KEYS.home ?? "");
    expect(text()).toContain("a/list.txt");
    write(ENTER);
    expect(decisions).toEqual(["allow-once"]);
  });

  it("[GW-340] takes the choice back at Escape and a letter in one write, which a terminal sends as one key", () => {
    const { card, decisions, write } = openCard({ grantPrefixes: ["git push"] });
    write("a");
    expect(card.render(80).join("\n")).toContain("Enter confirms");
    write(`${ESCAPE}n${ENTER}`);
    expect(decisions).toEqual([]);
    expect(card.render(80).join("\n")).toContain("then Enter");
    write(`n${ENTER}`);
    expect(decisions).toEqual(["deny"]);
  });

  it("[GW-340] chooses nothing at first, nor after a decision that was not accepted", () => {
    const { card, decisions, write } = openCard();
    write(ENTER);
    expect(decisions).toEqual([]);
    write(`y${ENTER}`);
    card.retry();
    write(ENTER);
    expect(decisions).toEqual(["allow-once"]);
  });

  it("[GW-340] keeps the choice while its prefix is edited and the request is scrolled", () => {
    const { decisions, write } = openCard({ grantPrefixes: ["git push"] });
    write(`a${KEYS.left}${KEYS.home}${KEYS.end}${KEYS.backspace}${KEYS.down}${KEYS.tab}${ENTER}`);
    expect(decisions).toEqual(["allow-always"]);
  });
});

describe("a request for input", () => {
  const schema = {
    type: "object" as const,
    properties: {
      name: { type: "string" },
      size: { type: "integer", enum: [1, 2] },
      open: { type: "boolean", default: true },
    },
    required: ["name", "size"],
  };
  const asked: Partial<ApprovalSummary> = {
    kind: "tool",
    allowedDecisions: ["allow-once", "deny"],
    input: { name: "place", message: "Which place?", schema },
  };
  const shown = (card: ApprovalCard) => card.render(90).join("\n");

  it("[EXT-361] [APPR-510] asks for the fields after yes, again for a value that does not fit", () => {
    const { card, decisions, inputs, write } = openCard(asked);
    write(`y${ENTER}`);
    expect(shown(card)).toContain("name (string):");
    write(ENTER);
    expect(shown(card)).toContain("it is required");
    write(`Ann${ENTER}7${ENTER}`);
    expect(shown(card)).toContain("expected one of 1, 2");
    // A letter of an answer is text here, and a wrong value is corrected.
    write(`\u007f1${ENTER}`);
    expect(shown(card)).toContain("open (boolean, optional):");
    expect(decisions).toEqual([]);
    write(`no${ENTER}`);
    expect([decisions, inputs]).toEqual([["allow-once"], [{ name: "Ann", size: 1, open: false }]]);
  });

  it("[EXT-361] proposes the values again when the gateway rejects them, and sends nothing when the form is left", () => {
    const { card, decisions, inputs, write } = openCard(asked);
    write(`y${ENTER}Ann${ENTER}`);
    write(KEYS.up ?? "");
    expect(shown(card)).toContain("name (string):");
    write(ESCAPE);
    expect(shown(card)).toContain("[");
    expect(decisions).toEqual([]);
    write(`y${ENTER}a${ENTER}2${ENTER}${ENTER}`);
    expect(inputs).toEqual([{ name: "Anna", size: 2 }]);
    card.retry();
    write(`y${ENTER}${ENTER}${ENTER}${ENTER}`);
    expect(inputs).toEqual([
      { name: "Anna", size: 2 },
      { name: "Anna", size: 2 },
    ]);
  });

  it("[EXT-503] shows the page to open, and confirms it without fields", () => {
    const url = "https://example.com/connect?state=1";
    const empty = { type: "object" as const, properties: {} };
    const { card, decisions, write } = openCard({
      ...asked,
      input: { name: "page", message: "Connect.", schema: empty, url },
    });
    expect(shown(card)).toContain(url);
    write(`y${ENTER}`);
    expect(decisions).toEqual(["allow-once"]);
  });
});
