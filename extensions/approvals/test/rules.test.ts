import { mkdirSync, rmSync, symlinkSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { parseCommand } from "@openclaw/plugin-testkit";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { createCommandEvaluator } from "../src/command-evaluator.js";
import type { ApprovalsConfig, CommandRule } from "../src/index.js";
import { type EvaluationPlace, evaluationPlace } from "./support/evaluation.js";

function newPlace(): EvaluationPlace {
  const place = evaluationPlace();
  onTestFinished(() => place[Symbol.dispose]());
  return place;
}

async function decisions(config: ApprovalsConfig, commands: readonly string[], agentId?: string) {
  const place = newPlace();
  const found = [];
  for (const command of commands) {
    found.push((await place.evaluate(command, config, { agentId })).decision);
  }
  return found;
}

const SAMPLES = ["ls", "npm test", "sudo ls", "rm -rf /srv"];

describe("security and ask", () => {
  it.each<[ApprovalsConfig, string[]]>([
    [{}, ["run", "ask", "ask-each-time", "ask-critical"]],
    [{ security: "deny" }, ["deny", "deny", "deny", "deny"]],
    [{ security: "deny", ask: "always" }, ["deny", "deny", "deny", "deny"]],
    [{ ask: "off" }, ["run", "deny", "ask-each-time", "ask-critical"]],
    [{ ask: "always" }, ["ask-each-time", "ask-each-time", "ask-each-time", "ask-critical"]],
    [{ security: "full" }, ["run", "run", "ask-each-time", "ask-critical"]],
    [{ security: "full", ask: "off" }, ["run", "run", "ask-each-time", "ask-critical"]],
    [
      { security: "full", ask: "always" },
      ["ask-each-time", "ask-each-time", "ask-each-time", "ask-critical"],
    ],
  ])("[APPR-037][APPR-041] decides about sample commands by %j", async (config, expected) => {
    expect(await decisions(config, SAMPLES)).toEqual(expected);
  });

  it("[APPR-037] uses an agent's own settings where they are stricter", async () => {
    const own = (agent: ApprovalsConfig["agents"], general: ApprovalsConfig = {}) =>
      decisions({ ...general, ...(agent && { agents: agent }) }, ["ls", "npm test"], "work");
    expect(await own({ work: { security: "deny" } })).toEqual(["deny", "deny"]);
    expect(await own({ work: { security: "full" } })).toEqual(["run", "ask"]);
    expect(await own({ work: { ask: "off" } })).toEqual(["run", "ask"]);
    expect(await own({ work: { ask: "always" } }, { ask: "off" })).toEqual([
      "ask-each-time",
      "ask-each-time",
    ]);
    expect(await own({ other: { security: "deny" } })).toEqual(["run", "ask"]);
    const inherited = { agents: {} as Record<string, never> };
    expect(await decisions(inherited, ["ls"], "constructor")).toEqual(["run"]);
  });
});

describe("operator rules", () => {
  const note = "as every day";
  const rule = (
    decision: CommandRule["decision"],
    prefix: CommandRule["prefix"],
    more: Partial<CommandRule> = {},
  ): CommandRule => ({ prefix, decision, match: ["x"], note, ...more });
  const allow = (...prefix: CommandRule["prefix"]) => rule("allow", prefix);

  it("[APPR-037] allows commands that start with the prefix of a rule", async () => {
    const config = {
      rules: [allow("npm", "test"), allow("npm", "run", ["lint:css", "lint:js"]), allow("make")],
    };
    const commands = [
      "npm test",
      "npm test -- --watch src/a.ts",
      "npm run lint:css",
      "npm run lint:css extra",
      "npm run build",
      "npm install left-pad",
      "make all",
      "make $target",
      "timeout 60 npm test",
      "npm test 2>&1 | tail -n 5",
      "npm test > out.txt",
      "npm test > .git/config",
      "npm test > /tmp/out",
      "npm test && node x.js",
      "npm test $x",
    ];
    expect(await decisions(config, commands)).toEqual([
      "run",
      "run",
      "run",
      "run",
      "ask",
      "ask-each-time",
      "run",
      "ask",
      "ask",
      "run",
      "ask",
      "ask-each-time",
      "ask-each-time",
      "ask",
      "ask",
    ]);
  });

  it("[APPR-280] requires approval each time for a redirection into a file that programs follow", async () => {
    const place = newPlace();
    mkdirSync(join(place.workspaceDir, ".git"), { recursive: true });
    symlinkSync(".git", join(place.workspaceDir, "settings"));
    for (const command of [
      "echo x > AGENTS.md",
      "echo x >> docs/.vscode/tasks.json",
      "cd .git && echo x > info",
      "echo x > settings/info",
      "echo $x 2> .envrc",
      `echo x > ${join(place.workspaceDir, "CLAUDE.md")}`,
    ]) {
      const { decision, reason } = await place.evaluate(command, { security: "full" });
      expect([command, decision]).toEqual([command, "ask-each-time"]);
      expect(reason).toMatch(/ a file that programs follow \(.+\)/);
    }
    const { decision } = await place.evaluate("echo x > notes.md", { security: "full" });
    expect(decision).toBe("run");
  });

  it("[APPR-041] never allows destructive commands by a rule", async () => {
    const config = {
      rules: ["rm", "git", "shred", "dd"].map((name) => allow(name)),
    };
    const commands = ["rm -rf /srv", "git push -f", "shred x", "dd of=/dev/sda", "rm README.md"];
    expect(await decisions(config, commands)).toEqual([...Array(4).fill("ask-critical"), "run"]);
  });

  it("[APPR-040] matches the path in a rule against the real file of a program", async () => {
    const place = newPlace();
    symlinkSync(join(place.bin, "npm"), join(place.bin, "tester"));
    const evaluate = async (pattern: string, command: string) =>
      (await place.evaluate(command, { rules: [allow(pattern)] })).decision;
    expect(await evaluate(join(place.bin, "npm"), "npm test")).toBe("run");
    expect(await evaluate(join(place.bin, "npm"), "tester")).toBe("run");
    expect(await evaluate(join(place.bin, "tester"), "tester")).toBe("ask");
    expect(await evaluate(join(place.bin, "n*"), "npm test")).toBe("run");
    expect(await evaluate("/**/npm", "npm test")).toBe("run");
    expect(await evaluate("/*/npm", "npm test")).toBe("ask");
    expect(await evaluate("npm", join(place.bin, "npm"))).toBe("run");
    expect(await evaluate("npm", "/elsewhere/npm")).toBe("ask");
  });

  it("[APPR-040] expands ~ in the path of a rule to the home folder of the host", async () => {
    const place = newPlace();
    vi.stubEnv("HOME", dirname(place.bin));
    onTestFinished(() => void vi.unstubAllEnvs());
    const evaluate = async (pattern: string) =>
      (await place.evaluate("npm test", { rules: [allow(pattern)] })).decision;
    expect(await evaluate("~/bin/npm")).toBe("run");
    expect(await evaluate("~/bin/*")).toBe("run");
    expect(await evaluate("~/other/*")).toBe("ask");
  });

  it("[APPR-040] allows no program of the workspace by its name, even if PATH contains the workspace", async () => {
    const place = newPlace();
    const { workspaceDir, bin } = place;
    const config = {
      rules: [allow("tool"), allow("/**/tool")],
    };
    expect((await place.evaluate("./bin/tool", config)).decision).toBe("ask");
    expect((await place.evaluate(join(workspaceDir, "bin/tool"), config)).decision).toBe("ask");
    symlinkSync(join(workspaceDir, "bin/tool"), join(bin, "tool"));
    expect((await place.evaluate("tool", config)).decision).toBe("ask");

    const parsed = await parseCommand("ls");
    const withPath = async (...folders: string[]) => {
      const evaluator = createCommandEvaluator({}, folders.join(delimiter));
      return (await evaluator.evaluate(parsed, { workspaceDir })).decision;
    };
    expect(await withPath(bin, join(workspaceDir, "bin"))).toBe("run");
    expect(await withPath(join(workspaceDir, "bin"), bin)).toBe("ask");
    expect(await withPath("bin", bin)).toBe("ask");
    expect(await withPath("", bin)).toBe("ask");
    expect(await withPath("/nowhere")).toBe("ask");
  });

  it("[APPR-040] searches for programs again for each call, so that a replaced program no longer matches", async () => {
    const place = newPlace();
    const config = { rules: [allow(join(place.bin, "npm"))] };
    expect((await place.evaluate("npm test", config)).decision).toBe("run");
    rmSync(join(place.bin, "npm"));
    symlinkSync(join(place.bin, "node"), join(place.bin, "npm"));
    expect((await place.evaluate("npm test", config)).decision).toBe("ask");
  });

  it("[APPR-040] does not allow an interpreter with inline code by its name alone", async () => {
    const names = ["python3", "node", "perl", "bash", "awk", "vim"];
    const config = {
      rules: [...names.map((name) => allow(name)), allow("node", "-p", "process.version")],
      safeBins: [],
    };
    const commands: [string, string][] = [
      ["python3 script.py", "run"],
      ["python3 -m pytest", "run"],
      ["python3 --version", "run"],
      ["python3 -c 'print(1)'", "ask"],
      ["python3 -Ic 'print(1)'", "ask"],
      ["python3 $x", "ask"],
      ["python3 <<E\nprint(1)\nE", "ask"],
      ["echo 'print(1)' | python3 -", "ask"],
      ["node -e 1", "ask"],
      ["node --eval=1", "ask"],
      ["node --import data:text/javascript,1 x.js", "ask"],
      ["node -p process.version", "run"],
      ["node --test", "run"],
      ["node x.js", "run"],
      ["perl -ne 'print' x", "ask"],
      ["awk 'BEGIN { system(1) }'", "ask"],
      ["awk 1 README.md", "ask"],
      ["vim -c ':!id'", "ask"],
      // The name of a shell does not describe the effect of its script.
      ["bash script.sh", "ask"],
      ["bash +e -c id", "ask"],
      ["bash --rcfile x script.sh", "ask"],
    ];
    expect(
      await decisions(
        config,
        commands.map(([command]) => command),
      ),
    ).toEqual(commands.map(([, decision]) => decision));
  });

  it("[APPR-037] applies a rule only in its folder and for its agent", async () => {
    const place = newPlace();
    const config = {
      rules: [rule("allow", ["npm"], { cwd: "src" }), rule("allow", ["make"], { agentId: "work" })],
    };
    const evaluate = async (command: string, call = {}) =>
      (await place.evaluate(command, config, call)).decision;
    expect(await evaluate("npm test")).toBe("ask");
    expect(await evaluate("npm test", { workdir: "src" })).toBe("run");
    expect(await evaluate("npm test", { workdir: "src/deep" })).toBe("run");
    expect(await evaluate("npm test", { workdir: "src/out" })).toBe("ask");
    expect(await evaluate("cd .. && npm test", { workdir: "src" })).toBe("ask");
    expect(await evaluate("make")).toBe("ask");
    expect(await evaluate("make", { agentId: "work" })).toBe("run");
  });

  it("[APPR-040] prefers deny over ask and ask over allow, for rules in any order", async () => {
    const rules = [
      allow("npm"),
      rule("ask", ["npm", ["publish", "install"]]),
      rule("deny", ["npm", "publish"]),
      rule("ask", ["cat"]),
      rule("deny", ["grep"], { cwd: "src" }),
      rule("deny", ["sudo"]),
      rule("deny", ["timeout", "60"]),
      rule("deny", ["docker", "compose", "exec"]),
    ];
    const commands: [string, string, string][] = [
      ["npm test", "run", "rules[0]"],
      ["npm install left-pad", "ask-each-time", "rules[1]"],
      ["npm publish", "deny", "rules[2]"],
      ["npm test && npm publish", "deny", "rules[2]"],
      ["npm $x", "ask-each-time", "rules[2]"],
      ["env A=1 npm publish", "deny", "rules[2]"],
      ["bash -c 'npm publish'", "deny", "rules[2]"],
      ["(cd src; npm 'publ'ish)", "deny", "rules[2]"],
      ["cat README.md", "ask-each-time", "rules[3]"],
      ["ls | cat", "ask-each-time", "rules[3]"],
      ["grep x README.md", "run", "safeBins"],
      ["cd src && grep x a.ts", "deny", "rules[4]"],
      ["sudo ls", "deny", "rules[5]"],
      ["timeout 60 ls", "deny", "rules[6]"],
      ["docker $x", "ask-each-time", "rules[7]"],
      ["docker $x compose exec web sh", "ask-each-time", "rules[7]"],
      ["npm publis[h]", "ask-each-time", "rules[2]"],
      ["rm -rf / && npm publish", "deny", "rules[2]"],
    ];
    const place = newPlace();
    for (const [command, decision, winner] of commands) {
      for (const order of [
        rules.map((_, index) => index),
        rules.map((_, at) => rules.length - 1 - at),
      ]) {
        const config = { rules: order.flatMap((index) => rules[index] ?? []) };
        const verdict = await place.evaluate(command, config);
        const own = verdict.commands.map((evaluated) =>
          evaluated.ruleIndex === undefined
            ? evaluated.rule
            : `rules[${order[evaluated.ruleIndex]}]`,
        );
        expect({ command, decision: verdict.decision, own }).toEqual({
          command,
          decision,
          own: expect.arrayContaining([winner]),
        });
      }
    }
  });

  it("[APPR-037] prefers an allow rule that requires the sandbox", async () => {
    const rules = [allow("npm"), rule("allow", ["npm", "test"], { sandbox: "workspace" })];
    const { inSandbox } = await newPlace().evaluate("npm test", { rules });
    expect(inSandbox).toBe(true);
    expect((await newPlace().evaluate("npm run x", { rules })).inSandbox).toBe(false);
  });
});

describe("wrapper programs", () => {
  const CODE = "'rm -rf /srv'";
  it.each([
    "env rm -rf /srv",
    "env A=1 -u B rm -rf /srv",
    `env -S ${CODE}`,
    "time rm -rf /srv",
    "nice -n 5 rm -rf /srv",
    "ionice -c 3 rm -rf /srv",
    "nohup rm -rf /srv",
    "timeout -k 1 5 rm -rf /srv",
    "stdbuf -oL rm -rf /srv",
    "setsid rm -rf /srv",
    "command rm -rf /srv",
    "builtin rm -rf /srv",
    "exec rm -rf /srv",
    "xargs rm -rf /srv",
    "parallel rm -rf ::: /srv",
    `parallel ::: ${CODE}`,
    "watch rm -rf /srv",
    `script -c ${CODE}`,
    "flock /tmp/lock rm -rf /srv",
    `flock /tmp/lock -c ${CODE}`,
    "chroot /mnt rm -rf /srv",
    "unshare -r rm -rf /srv",
    "busybox rm -rf /srv",
    "sudo -u root rm -rf /srv",
    "doas rm -rf /srv",
    `su -c ${CODE}`,
    "find . -exec rm -rf /srv ;",
    "ssh host rm -rf /srv",
    ...["sh", "bash", "dash", "zsh", "ksh", "fish"].flatMap((shell) => [
      `${shell} -c ${CODE}`,
      `${shell} -lc ${CODE}`,
      `/bin/${shell} -x -c ${CODE}`,
    ]),
  ])("[APPR-039] evaluates the command inside a wrapper: %s", async (command) => {
    const { commands, decision } = await newPlace().evaluate(command.replace(/;$/, "\\;"));
    expect(decision).toBe("ask-critical");
    expect(commands.map(({ rule }) => rule)).toContain("destructive:removal");
  });

  it("[APPR-039] requires critical approval for more than sixteen nested wrappers", async () => {
    const inside = (count: number) => `${"env ".repeat(count)}ls`;
    expect(await decisions({}, [inside(16), inside(17)])).toEqual(["ask", "ask-critical"]);
  });
});

describe("shell call", () => {
  it("[APPR-037] resolves paths from the folder in which a call starts", async () => {
    const place = newPlace();
    const evaluate = async (command: string, call = {}) =>
      (await place.evaluate(command, {}, call)).decision;
    expect(await evaluate("cat b.ts", { workdir: "src/deep" })).toBe("run");
    expect(await evaluate("cat ../../.env", { workdir: "src/deep" })).toBe("ask");
    expect(await evaluate("cat secret.txt", { workdir: "../outside" })).toBe("ask");
    expect(await evaluate("ls", { workdir: "src" })).toBe("run");
    expect(await evaluate("ls", { workdir: "src/out" })).toBe("run");
  });

  it("[APPR-039] evaluates a call with the variables that it sets", async () => {
    const evaluate = async (environment: Record<string, unknown>) =>
      (await newPlace().evaluate("ls", {}, { environment })).decision;
    expect(await evaluate({ NO_COLOR: "1", LANG: "C.UTF-8" })).toBe("run");
    expect(await evaluate({ HOME: "evil" })).toBe("ask");
    expect(await evaluate({ LANG: "a[$(id)]" })).toBe("ask");
    expect(await evaluate({ PATH: "bin" })).toBe("ask-critical");
    expect(await evaluate({ LD_PRELOAD: "./x.so" })).toBe("ask-critical");
    expect(await evaluate({ NO_COLOR: 1 })).toBe("ask");
  });

  it("[APPR-037] allows only the programs in safeBins by their tables", async () => {
    expect(await decisions({ safeBins: ["ls"] }, ["ls", "cat README.md", "cd src"])).toEqual([
      "run",
      "ask",
      "ask",
    ]);
  });

  it("[APPR-038] evaluates a command for every folder that cd may have entered", async () => {
    const place = newPlace();
    const evaluate = async (command: string) => (await place.evaluate(command)).decision;
    expect(await evaluate("cd src && cat a.ts && cat ../README.md")).toBe("run");
    expect(await evaluate("cd src; cat a.ts")).toBe("run");
    // When the folder does not exist, `cd` fails, and `..` is outside the workspace.
    expect(await evaluate("cd src; cat ../README.md")).toBe("ask");
    expect(await evaluate("cd src && cat a.ts; cat ../README.md")).toBe("ask");
    expect(await evaluate("cd src || cat ../README.md")).toBe("ask");
    expect(await evaluate("cd src/deep && cd .. && cat a.ts")).toBe("run");
    expect(await evaluate("cd none && cat a.ts")).toBe("run");
    expect(await evaluate("cd src/out && ls")).toBe("ask");
    expect(await evaluate("cd .. && ls")).toBe("ask");
    expect(await evaluate(`cd ${place.workspaceDir}/src && ls`)).toBe("run");
  });

  it("[APPR-037] runs all programs of a command in the sandbox when a rule requires it", async () => {
    const place = newPlace();
    const config: ApprovalsConfig = {
      rules: [
        {
          prefix: ["npm"],
          decision: "allow",
          match: ["npm test"],
          sandbox: "workspace",
          note: "runs the scripts of the project",
        },
      ],
    };
    expect(await place.evaluate("npm test && ls", config)).toMatchObject({
      decision: "run",
      readsOnly: false,
      inSandbox: true,
    });
    expect(await place.evaluate("ls", config)).toMatchObject({ readsOnly: true, inSandbox: false });
  });

  it("[APPR-037] returns the command that runs, with absolute programs and excluded private files", async () => {
    const place = newPlace();
    const { run, readsOnly } = await place.evaluate("cd src && grep foo -rn . 2>&1 | head -n 5");
    expect(readsOnly).toBe(true);
    const [cd, search] = run?.pipelines ?? [];
    expect(cd?.programs).toEqual([{ program: "cd", arguments: ["src"], redirections: [] }]);
    const [grep, head] = search?.programs ?? [];
    expect(grep?.program).toBe(join(place.bin, "grep"));
    expect(grep?.arguments.slice(0, 1)).toEqual(["-rn"]);
    expect(grep?.arguments).toContain("--exclude=.[eE][nN][vV]");
    expect(grep?.arguments).toContain("--exclude-dir=.[gG][iI][tT]");
    expect(grep?.arguments.slice(-3)).toEqual(["--", "foo", "."]);
    expect(grep?.files).toEqual([{ path: ".", realPaths: [join(place.workspaceDir, "src")] }]);
    expect(grep?.redirections).toEqual([{ descriptor: 2, operator: ">&", target: "1" }]);
    expect(head).toEqual({
      program: join(place.bin, "head"),
      arguments: ["-n", "5"],
      files: [],
      redirections: [],
    });
    expect((await place.evaluate("npm test")).run?.pipelines[0]?.programs[0]?.program).toBe(
      join(place.bin, "npm"),
    );
    expect((await place.evaluate("ls *")).run).toBeUndefined();
  });

  it("[APPR-037] treats the host's state folder as private", async () => {
    const place = newPlace();
    const stateDir = join(place.workspaceDir, "state");
    mkdirSync(stateDir);
    const evaluate = async (command: string) =>
      (await place.evaluate(command, {}, { stateDir })).decision;
    expect(await evaluate("cat state/token")).toBe("ask");
    expect(await evaluate("grep -r x .")).toBe("ask");
    expect(await evaluate("grep -r x src")).toBe("run");
    const inState = { stateDir: dirname(place.workspaceDir) };
    expect((await place.evaluate("grep -r x .", {}, inState)).decision).toBe("run");
  });

  it("reports each command with the rule that decided", async () => {
    const place = newPlace();
    const { commands, reason, listed } = await place.evaluate(
      "cat README.md | env -S 'bash -c \"rm -rf /srv\"'; A=1",
    );
    expect(listed).toBe(false);
    expect(reason).toBe(
      "rm -rf /srv (inside env > bash): it removes files outside the workspace, the whole workspace, or files known only when it runs",
    );
    expect(commands).toEqual([
      expect.objectContaining({ finding: "destructive", rule: "destructive:removal" }),
    ]);
    const checked = await place.evaluate("cat README.md && npm test");
    expect(checked.commands).toEqual([
      {
        text: "cat README.md",
        finding: "listed",
        rule: "safeBins",
        reason: "cat only reads the workspace",
      },
      { text: "npm test", finding: "unlisted", rule: "none", reason: "no rule allows npm" },
    ]);
  });

  it("[APPR-045] requires approval for a command above 16 KiB, in every mode", async () => {
    const long = `ls ${"a".repeat(16_384)}`;
    expect(await decisions({}, [long])).toEqual(["ask-critical"]);
    expect(await decisions({ security: "full", ask: "off" }, [long])).toEqual(["ask-critical"]);
    expect(await decisions({}, [`ls ${"é".repeat(8_192)}`])).toEqual(["ask-critical"]);
  });
});
