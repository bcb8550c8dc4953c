import { createInterface } from "node:readline/promises";
import { PassThrough } from "node:stream";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Decision } from "@openclaw/client/conversation";
import { OpenClawError } from "@openclaw/foundation";
import type { ApprovalSummary } from "@openclaw/protocol";
import { createColors } from "picocolors";
import { describe, expect, it, onTestFinished } from "vitest";
import { terminalApprovals } from "../../src/chat/approval-prompt.js";

/** Error of the gateway for values that do not fit. */
class UnfitInputError extends OpenClawError {
  static override readonly code = "APPROVAL_INPUT_INVALID";
  static override readonly kind = "invalid";
}

const QUESTION: ApprovalSummary = {
  id: "apr_01M80TZ1X1AG5HG70F2QTRR8VE",
  code: "K7MPQ2",
  kind: "exec",
  state: "pending",
  title: "Run command?",
  description: "",
  severity: "warning",
  tool: "exec",
  params: { command: "ls" },
  text: '{"command":"ls"}',
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

/** Creates a terminal at which a test types. */
function createScreen({
  isFree = true,
  refuse,
  columns,
}: {
  isFree?: boolean;
  refuse?: string;
  columns?: number;
} = {}) {
  const keyboard = new PassThrough();
  const output = new PassThrough();
  const input = createInterface({ input: keyboard, output });
  onTestFinished(() => input.close());
  const printed: string[] = [];
  const answers: [string, Decision][] = [];
  const inputs: unknown[] = [];
  const calls: unknown[] = [];
  const watchers: (() => void)[] = [];
  const changed = () => {
    for (const watcher of watchers.splice(0)) watcher();
  };
  let prompts = 0;
  /** Fields of a form for which it was asked. */
  const fields: string[] = [];
  output.on("data", (text: Buffer) => {
    const asked = /(\w+) \([^)]*\): /.exec(text.toString())?.[1];
    if (asked !== undefined) fields.push(asked);
    else if (!text.toString().includes("[y]es")) return;
    else prompts += 1;
    changed();
  });
  const write = (text: string) => {
    printed.push(text);
    changed();
  };
  const terminal = {
    isInteractive: true,
    hasScreen: false,
    size: () => ({ rows: 24, columns }),
    colors: createColors(false),
    print: write,
    write,
    note: write,
    openInput: () => input,
    divert: () => () => {},
  };
  const questions = terminalApprovals({
    terminal,
    input,
    workspaceDir: "/work",
    isFree: () => isFree,
    partner: {
      sessionKey: QUESTION.sessionKey,
      call: async (...called: unknown[]) => {
        calls.push(called);
        throw new Error("a request that cannot be held is prompted for as well");
      },
      async answer({ code }, { decision, input: values }) {
        if (refuse !== undefined) throw new Error(refuse);
        inputs.push(values);
        if (values?.name === "x") throw new UnfitInputError("name is too short");
        answers.push([code, decision]);
        changed();
        return undefined;
      },
    },
  });
  return {
    printed,
    answers,
    inputs,
    fields,
    calls,
    show: questions.show,
    /** Number of prompts so far. */
    get prompts() {
      return prompts;
    },
    type: (text: string) => keyboard.write(`${text}\n`),
    /** Waits until a printed line or a decision satisfies a condition. */
    async until(holds: () => boolean): Promise<void> {
      while (!holds()) await new Promise<void>((resolve) => watchers.push(resolve));
    },
  };
}

describe("terminalApprovals", () => {
  it("[EXT-361] [APPR-510] asks for the fields of a form one after the other, and again for values that do not fit", async () => {
    const screen = createScreen();
    const { answers, inputs, fields, printed, show, type, until } = screen;
    const schema = {
      type: "object" as const,
      properties: {
        name: { type: "string" },
        size: { type: "integer", enum: [1, 2] },
        open: { type: "boolean", default: true },
      },
      required: ["name", "size"],
    };
    show({ ...QUESTION, input: { name: "place", message: "Which place?", schema } });
    await until(() => screen.prompts === 1);
    type("y");
    for (const [index, value] of ["", "x", "7", "2", ""].entries()) {
      await until(() => fields.length === index + 1);
      type(value);
    }
    await until(() => screen.prompts === 2);
    expect(fields).toEqual(["name", "name", "size", "size", "open"]);
    expect(printed.join("\n")).toContain("it is required");
    expect(printed.join("\n")).toContain("expected one of 1, 2");
    expect(printed.join("\n")).toContain("name is too short");
    type("y");
    for (const [index, value] of ["Ann", "1", "no"].entries()) {
      await until(() => fields.length === index + 6);
      type(value);
    }
    await until(() => answers.length === 1);
    expect(answers).toEqual([["K7MPQ2", "allow-once"]]);
    expect(inputs).toEqual([
      { name: "x", size: 2 },
      { name: "Ann", size: 1, open: false },
    ]);
  });

  it("[GW-688] wraps the sentences of a request at words, below each other", async () => {
    const { printed, show, until } = createScreen({ columns: 40 });
    show(QUESTION);
    await until(() => printed.some((line) => line.includes("code")));
    const lines = printed.join("\n").split("\n");
    const from = lines.findIndex((line) => line.startsWith("  for      "));
    expect(lines.slice(from, from + 2)).toEqual([
      "  for      the operator, at the terminal",
      "           of the gateway",
    ]);
    expect(lines.filter((line) => line.length > 40)).toEqual([]);
  });

  it("[GW-688] wraps at words the line that says how to reply to a request during a turn", () => {
    const { printed, show } = createScreen({ columns: 40, isFree: false });
    show(QUESTION);
    const lines = printed.join("\n").split("\n");
    expect(lines.join(" ")).toContain("/approve K7MPQ2");
    expect(lines.filter((line) => line.length > 40)).toEqual([]);
  });

  it.each([
    ["y", "allow-once"],
    ["YES", "allow-once"],
    ["a", "allow-always"],
    ["n", "deny"],
  ] as const)(
    "[GW-047] [APPR-025] shows the whole request, and accepts %s",
    async (typed, decision) => {
      const { printed, answers, show, type, until } = createScreen();
      show(QUESTION);
      expect(printed.join("\n")).toContain("? Run command?");
      for (const part of [
        "exec",
        "command  ls",
        "folder   /work",
        "K7MPQ2, digest 3fa9c01b",
        "left",
      ]) {
        expect(printed.join("\n")).toContain(part);
      }
      type(typed);
      await until(() => answers.length === 1);
      expect(answers).toEqual([["K7MPQ2", decision]]);
    },
  );

  it.each([
    ["exec", { command: "npm test # -----BEGIN RSA PRIVATE KEY-----\ntouch x" }, "touch x"],
    ["write", { path: "a", content: "# -----BEGIN RSA PRIVATE KEY-----\nrm y\n" }, "rm y"],
  ])("[APPR-047] shows the second line of the parameters of %s", (tool, params, hidden) => {
    const { printed, show } = createScreen();
    show({ ...QUESTION, tool, params });
    const shown = printed.join("\n");
    expect(shown).toMatch(/# -----BEGIN RSA PRIVATE KEY-----(?:\\n)?\n/);
    expect(shown).toContain(hidden);
  });

  it("[APPR-013] keeps the request that it shows from expiring", () => {
    const { calls, show } = createScreen();
    show(QUESTION);
    expect(calls).toEqual([["approvals.hold", { id: QUESTION.id }]]);
  });

  it("prompts again after an unknown or unavailable answer", async () => {
    const screen = createScreen();
    screen.show({ ...QUESTION, allowedDecisions: ["allow-once", "deny"] });
    for (const [before, text] of ["", "perhaps", "a", "n"].entries()) {
      await screen.until(() => screen.prompts === before + 1);
      screen.type(text);
    }
    await screen.until(() => screen.answers.length === 1);
    expect(screen.answers).toEqual([["K7MPQ2", "deny"]]);
  });

  it("ignores input that was typed before the request was shown", async () => {
    const screen = createScreen();
    screen.type("y");
    await nextTurn();
    screen.show(QUESTION);
    await screen.until(() => screen.prompts === 1);
    await nextTurn();
    expect(screen.answers).toEqual([]);
    screen.type("n");
    await screen.until(() => screen.answers.length === 1);
    expect(screen.answers).toEqual([["K7MPQ2", "deny"]]);
  });

  it("prompts one after another, and once for a request that is shown repeatedly", async () => {
    const { printed, answers, show, type, until } = createScreen();
    const other = { ...QUESTION, id: "apr_2", code: "AAAAAA", title: "Write a file?" };
    for (const question of [QUESTION, other, QUESTION, other]) show(question);
    expect(printed.join("\n")).not.toContain("Write a file?");
    type("y");
    await until(() => printed.join("\n").includes("Write a file?"));
    type("n");
    await until(() => answers.length === 2);
    expect(answers).toEqual([
      ["K7MPQ2", "allow-once"],
      ["AAAAAA", "deny"],
    ]);
  });

  it("withdraws the prompt when the request is settled elsewhere, and prompts for the next one", async () => {
    const { printed, answers, show, type, until } = createScreen();
    const other = { ...QUESTION, id: "apr_2", code: "AAAAAA", title: "Write a file?" };
    const gone = { ...QUESTION, id: "apr_3", code: "BBBBBB", title: "Send it?" };
    for (const question of [QUESTION, gone, other]) show(question);
    show({ ...gone, state: "cancelled", decidedBy: "interrupt" });
    show({ ...QUESTION, state: "denied", decidedBy: "http:operator" });
    expect(printed.join("\n")).toContain("K7MPQ2 is denied (http:operator)");
    await until(() => printed.join("\n").includes("Write a file?"));
    type("y");
    await until(() => answers.length === 1);
    expect(answers).toEqual([["AAAAAA", "allow-once"]]);
    expect(printed.join("\n")).not.toContain("Send it?");
  });

  it("shows a request with instructions for deciding it later while the input is busy", () => {
    const { printed, show, type, answers } = createScreen({ isFree: false });
    show(QUESTION);
    type("y");
    expect(printed.join("\n")).toContain("/approve K7MPQ2");
    expect(answers).toEqual([]);
  });

  it("shows why a decision was not accepted", async () => {
    const { printed, show, type, until } = createScreen({ refuse: "somebody was first" });
    show(QUESTION);
    type("y");
    await until(() => printed.includes("somebody was first"));
  });
});
