import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import {
  type CommandClass,
  classifyCommand,
  createSafetyRules,
  parseCommand,
  pipesToShell,
  usesOnlyBinaries,
} from "../../src/index.js";

interface CommandCase {
  readonly command: string;
  readonly class: CommandClass;
  readonly rule?: string;
}

const cases = JSON.parse(
  readFileSync(new URL("../evasion/commands.json", import.meta.url), "utf8"),
) as CommandCase[];

function ofClass(expected: CommandClass): [string, string | undefined][] {
  return cases
    .filter((entry) => entry.class === expected)
    .map(({ command, rule }) => [command, rule]);
}

async function evaluate(command: string) {
  const { class: found, reasons } = classifyCommand(await parseCommand(command));
  return { found, rules: reasons.map(({ rule }) => rule) };
}

describe("classifyCommand", () => {
  it.each(ofClass("blocked"))("[SAFE-043] blocks %j", async (command, rule) => {
    const { found, rules } = await evaluate(command);
    expect(found).toBe("blocked");
    expect(rules).toContain(rule);
  });

  it.each(ofClass("explicit"))("[SAFE-043] classifies %j as explicit", async (command, rule) => {
    const { found, rules } = await evaluate(command);
    expect(found).toBe("explicit");
    expect(rules).toContain(rule);
  });

  it.each(ofClass("injection"))("[SAFE-045] classifies %j as injection", async (command, rule) => {
    const { found, rules } = await evaluate(command);
    expect(found).toBe("injection");
    expect(rules).toContain(rule);
  });

  it.each(ofClass("normal"))("classifies %j as normal", async (command) => {
    expect(await evaluate(command)).toEqual({ found: "normal", rules: [] });
  });

  it("reports rule, command and range of every reason, the strongest first", async () => {
    const source = "git push -f && sudo rm -rf /";
    const { reasons } = classifyCommand(await parseCommand(source));
    expect(
      reasons.map(({ rule, class: found, command, range }) => [
        rule,
        found,
        command,
        source.slice(...range),
      ]),
    ).toEqual([
      ["shell_root_removal", "blocked", 1, "sudo rm -rf /"],
      ["shell_elevated", "explicit", 1, "sudo rm -rf /"],
      ["shell_removal", "explicit", 1, "sudo rm -rf /"],
      ["shell_git_loss", "explicit", 0, "git push -f"],
    ]);
    const [unreadable] = classifyCommand(await parseCommand("if")).reasons;
    expect(unreadable).toMatchObject({ rule: "shell_unreadable", range: [0, 2] });
    expect(unreadable).not.toHaveProperty("command");
  });

  it("ignores rules that are disabled", async () => {
    const rules = createSafetyRules({ rules: { shell_elevated: { enabled: false } } });
    expect(classifyCommand(await parseCommand("sudo ls"), { rules }).class).toBe("normal");
  });
});

describe("usesOnlyBinaries", () => {
  it.each([
    ["ls -la", true],
    ["git log | head -3 && npm test", true],
    ["/usr/bin/git status", true],
    ["/opt/homebrew/bin/git status", true],
    ["X=1; echo $(date)", true],
    ["evil_binary --flag", false],
    ["sudo evil_binary", false],
    ["env -i evil_binary", false],
    ["ls; evil_binary", false],
    ["echo $(evil_binary)", false],
    ["./ls", false],
    ["/tmp/bin/ls", false],
    ["$x", false],
    ["ls 'open", false],
    ["PATH=/tmp/evil; ls", false],
    ["PATH=/tmp/evil ls", false],
    ["for PATH in /tmp/evil; do ls; done", false],
    ["export PATH=/tmp/evil; ls", false],
    ["export PATH=$PWD; ls", false],
    ["export P'ATH'=$PWD; ls", false],
    ['export "$x"; ls', false],
    ["printf -v PATH /tmp/evil; ls", false],
    ["export LD_PRELOAD=./x.so; ls", false],
    ["export GIT_SSH_COMMAND=./evil; git fetch", false],
    ["test -v 'a[$(./evil)]'", false],
    ['test -v "$x"', false],
    ["x='a[`./evil`]'; echo $((x))", false],
    ["export PORT=$PORT NODE_ENV=test; npm test", true],
    ["PYTHONUNBUFFERED=1 python3 x.py", true],
    ["test -f package.json && printf '%s' x", true],
  ])("[SAFE-048] evaluates %s", async (command, allowed) => {
    expect(usesOnlyBinaries(await parseCommand(command))).toBe(allowed);
  });

  it("[SAFE-048] accepts another list", async () => {
    expect(usesOnlyBinaries(await parseCommand("evil_binary"), ["evil_binary"])).toBe(true);
    expect(usesOnlyBinaries(await parseCommand("ls"), [])).toBe(false);
  });
});

describe("pipesToShell", () => {
  it.each([
    "echo foo | sh",
    "echo foo | sh -c 'cmd'",
    "echo foo | sudo /bin/bash -c 'cat; ls'",
    "sh -c 'ls' | sh -c 'cmd'",
  ])("[SAFE-045] finds a pipe to a shell in %s", async (command) => {
    expect(pipesToShell(await parseCommand(command))).toBe(true);
  });

  it.each(["sh -c 'ls | wc'", "sh -c 'ls' | wc", "ls | grep sh"])(
    "[SAFE-045] finds no pipe to a shell in %s",
    async (command) => {
      expect(pipesToShell(await parseCommand(command))).toBe(false);
    },
  );
});
