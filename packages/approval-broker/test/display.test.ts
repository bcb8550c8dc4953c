import { parseCommand } from "@openclaw/safety";
import { describe, expect, it } from "vitest";
import { redactForDisplay } from "../src/display.js";
import { shownCommands } from "../src/index.js";
import { brokerHost, pendingRequest } from "./support/broker-host.js";

const HEADER = "-----BEGIN RSA PRIVATE KEY-----";
const HIDDEN = `npm test # ${HEADER}\ntouch x`;
const TOKEN = `ghp_${"aB3dE6".repeat(6)}`;

describe("parameters of an approval request", () => {
  it("[APPR-047] shows every line of the parameters, and masks only the characters of secrets", () => {
    const params = {
      command: HIDDEN,
      env: { MY_TOKEN: TOKEN, RUN_TOKEN: "touch x", password: "a b" },
      password: "correct horse\nbattery",
      token: { nested: ["deep secret", 7, true, null] },
      content: `key = ${TOKEN}\nnext`,
    };
    expect(redactForDisplay(params)).toEqual({
      command: HIDDEN,
      env: { MY_TOKEN: "[REDACTED]", RUN_TOKEN: "touch x", password: "a b" },
      password: "[REDACTED] [REDACTED]\n[REDACTED]",
      token: { nested: ["[REDACTED] [REDACTED]", "[REDACTED]", true, null] },
      content: "key = [REDACTED]\nnext",
    });
  });

  it("keeps fields distinct whose names are identical after masking", () => {
    const other = `ghp_${"xY9zW2".repeat(6)}`;
    expect(redactForDisplay({ [TOKEN]: 1, [other]: 2 })).toEqual({
      "[REDACTED]": 1,
      "[REDACTED] (2)": 2,
    });
  });
});

describe("commands of an approval request", () => {
  it("[APPR-047] reads commands from the true parameters, and stores them with the request", async () => {
    const { broker, store } = await brokerHost();
    const command = await parseCommand(`${HIDDEN}; echo ${TOKEN} | sh -c 'rm -rf y'`);
    const { id } = await pendingRequest(broker, {
      kind: "exec",
      toolName: "exec",
      params: { command: command.source },
      command,
      title: `Run: ${HIDDEN}`,
    });
    const stored = await store.decisions.approvals.get(id);
    expect(stored?.commands).toEqual(["npm test", "touch x", "echo [REDACTED]", "(sh) rm -rf y"]);
    expect(stored?.params).toEqual({
      command: `${HIDDEN}; echo [REDACTED] | sh -c 'rm -rf y'`,
    });
    expect(stored?.title).toBe(`Run: npm test # ${HEADER} touch x`);
  });

  it("quotes words that could be read as several, and mentions unreadable parts", async () => {
    const texts = async (source: string) => shownCommands(await parseCommand(source)).texts;
    expect(await texts("ls 'a b' \"\" $x > 'c\nd'")).toEqual(['ls "a b" "" … > "c\\nd"']);
    expect(await texts("echo 'open")).toContain("and a part that could not be read");
    expect(await texts("A=1 env B=2 ls")).toEqual(["(env) A=1 B=2 ls"]);
  });

  it("[GW-343] returns the words of each command without quotes, each with its kind", async () => {
    const { texts, argv } = shownCommands(
      await parseCommand("A=1 env ls 'a b' $x > out; echo 'open"),
    );
    expect(texts.length).toBeGreaterThan(argv.length);
    expect(argv[0]).toEqual([
      { kind: "wrapper", text: "(env)" },
      { kind: "assignment", text: "A=1" },
      { kind: "program", text: "ls" },
      { kind: "argument", text: "a b" },
      { kind: "computed", text: "…" },
      { kind: "redirection", text: "> out" },
    ]);
  });

  it("cuts commands to the maximum length", async () => {
    const words = "x".repeat(5000);
    const command = await parseCommand("ls");
    const [only] = command.commands;
    if (only === undefined) throw new Error("ls is one command");
    const commands = Array.from({ length: 100 }, () => ({ ...only, arguments: [words] }));
    const { texts } = shownCommands({ ...command, commands });
    expect(texts.join("").length).toBeLessThan(66_000);
    expect(texts.at(-1)).toBe("and 87 more commands");
  });
});
