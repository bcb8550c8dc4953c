import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TemporaryFolder, temporaryFolder } from "@openclaw/foundation/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openclaw } from "../../src/command-line.js";
import { BIN } from "../../src/openclaw-process.js";
import { emptyPlace } from "../../src/place.js";

let folder: TemporaryFolder;

beforeAll(() => {
  folder = temporaryFolder();
  const command = join(folder.path, "openclaw");
  writeFileSync(command, `#!/bin/sh\nexec '${process.execPath}' '${BIN}' "$@"\n`);
  chmodSync(command, 0o755);
});

afterAll(() => folder[Symbol.dispose]());

function shell(program: string, args: readonly string[]): string {
  const PATH = `${folder.path}:${process.env.PATH}`;
  const environment = { PATH, HOME: folder.path, OPENCLAW_STATE_DIR: folder.path };
  return execFileSync(program, args, { encoding: "utf8", env: environment });
}

/** Completes words in bash as it does itself: the last one is being typed. */
function inBash(...lines: readonly (readonly string[])[]): string[] {
  const calls = lines.map((words) => {
    const quoted = ["openclaw", ...words].map((word) => `'${word}'`).join(" ");
    return `COMP_WORDS=(${quoted}); COMP_CWORD=${words.length}; COMPREPLY=(); _openclaw openclaw; echo "\${COMPREPLY[*]}"`;
  });
  const script = ["source <(openclaw completion bash)", ...calls].join("\n");
  return shell("bash", ["--norc", "-c", `${script}\ncomplete -p openclaw >/dev/null`])
    .trimEnd()
    .split("\n");
}

const PROGRAMS = (name: string) =>
  ["/bin", "/usr/bin", "/usr/local/bin"].some((at) => existsSync(join(at, name)));

describe("openclaw completion", () => {
  it("[GW-043] completes commands, verbs, options and choices in bash, and evaluates nothing that was typed", () => {
    const evil = join(folder.path, "evil");
    const [command, verbs, options, choices] = inBash(
      ["sess"],
      ["sessions", ""],
      ["config", "set", "--"],
      ["db", "migrate", "--to", ""],
      [`$(touch ${evil})`, ""],
    );
    expect(command).toBe("sessions");
    expect(verbs).toBe("list show delete export import help");
    expect(options).toContain("--base-hash");
    expect(choices).toBe("postgres sqlite libsql");
    expect(existsSync(evil)).toBe(false);
  });

  it.runIf(PROGRAMS("fish"))("completes verbs in fish", () => {
    const script = 'openclaw completion fish | source; complete -C "openclaw sessions "';
    expect(shell("fish", ["--no-config", "-c", script])).toMatch(/^show\tshow a session/m);
  });

  it.runIf(PROGRAMS("zsh"))("defines a completion function in zsh", () => {
    const script = `autoload -Uz compinit; compinit -u -d ${folder.path}/dump; source <(openclaw completion zsh); echo $+functions[_openclaw] $_comps[openclaw]`;
    expect(shell("zsh", ["-f", "-c", script])).toBe("1 _openclaw\n");
  });

  it("knows every command, and rejects a shell that it does not know", async () => {
    using place = emptyPlace();
    const { stdout } = await openclaw(["complete", "--", ""], place);
    const { stdout: help } = await openclaw(["--help"], place);
    const commands = [...help.matchAll(/^ {2}([a-z][a-z-]*)/gm)].map(([, name]) => name);
    expect(commands.length).toBeGreaterThan(15);
    for (const name of commands) expect(stdout).toContain(`${name}\t`);
    expect((await openclaw(["completion", "tcsh"], place)).exitCode).toBe(2);
  });
});
