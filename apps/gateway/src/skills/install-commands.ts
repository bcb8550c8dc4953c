import { defined } from "@openclaw/foundation";
import type { GatewayMethodResult } from "@openclaw/protocol";
import { withGatewayMethods } from "../host/methods.js";
import type { CommandContext } from "../shell/context.js";
import { EXIT, type ExitCode } from "../shell/exit-code.js";
import { printRows } from "../shell/table.js";
import type { Terminal } from "../shell/terminal.js";

interface InstallOptions {
  readonly json?: boolean;
  readonly all?: boolean;
  readonly force?: boolean;
}

/** Runs `openclaw skills search`. */
export function searchSkillsCommand(
  words: readonly string[],
  { from, json = false }: { readonly from?: string; readonly json?: boolean },
  context: CommandContext,
): Promise<ExitCode> {
  const { terminal } = context;
  return withGatewayMethods(
    context,
    async (call) => {
      const found = await call("skills.search", {
        ...{ query: words.join(" "), cwd: process.cwd() },
        ...defined({ source: from }),
      });
      if (json) {
        terminal.print(JSON.stringify(found));
        return EXIT.ok;
      }
      const { skills } = found;
      if (skills.length === 0) {
        terminal.print(
          "No skills. Add a marketplace with `openclaw plugins marketplace add`, or name a source with --from.",
        );
        return EXIT.ok;
      }
      printRows(
        skills.map(({ name, source, description }) => [name, source, description]),
        terminal,
        { titles: ["skill", "source", "description"] },
      );
      return EXIT.ok;
    },
    "reads",
  );
}

/** Runs `openclaw skills install`. */
export function installSkillsCommand(
  source: string,
  names: readonly string[],
  { json = false, all = false, force = false }: InstallOptions,
  context: CommandContext,
): Promise<ExitCode> {
  return withGatewayMethods(context, async (call) => {
    const cwd = process.cwd();
    return report(
      await call("skills.install", { source, cwd, names: [...names], all, force }),
      json,
      context.terminal,
    );
  });
}

/** Runs `openclaw skills update`. */
export function updateSkillsCommand(
  name: string | undefined,
  { json = false, force = false }: InstallOptions,
  context: CommandContext,
): Promise<ExitCode> {
  return withGatewayMethods(context, async (call) =>
    report(await call("skills.update", { force, ...defined({ name }) }), json, context.terminal),
  );
}

/** Runs `openclaw skills remove`. */
export function removeSkillCommand(
  name: string,
  { json = false }: { readonly json?: boolean },
  context: CommandContext,
): Promise<ExitCode> {
  const { print } = context.terminal;
  return withGatewayMethods(context, async (call) => {
    const removed = await call("skills.remove", { name });
    print(json ? JSON.stringify(removed) : `Removed the skill "${name}" with its files.`);
    return EXIT.ok;
  });
}

function report(
  result: GatewayMethodResult<"skills.install">,
  json: boolean,
  { print, note }: Terminal,
): ExitCode {
  if (json) {
    print(JSON.stringify(result));
    return EXIT.ok;
  }
  if (result.skills.length === 0) print("No installed skills.");
  for (const { name, outcome, source, digest, programs, findings } of result.skills) {
    const state = { installed: "Installed", updated: "Updated", unchanged: "Unchanged" }[outcome];
    print(`${state}: ${name} from ${source} [sha256:${digest.slice(0, 16)}]`);
    for (const finding of findings) note(`warn: ${name}: ${finding}`);
    for (const file of programs) print(`  program ${file}`);
  }
  return EXIT.ok;
}
