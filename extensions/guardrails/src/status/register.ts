import { stdout } from "node:process";
import type { CliRegistrar, OpenClawPluginApi } from "@openclaw/plugin-sdk/plugin-entry";
import type { PluginDatabase } from "@openclaw/plugin-sdk/store";
import { auditFilePath } from "../audit-log/guard-file.js";
import { auditLines, verifyAudit } from "../audit-log/verification.js";
import { type GuardState, guardsStatus, isSound, statusLines } from "./status.js";

const AUDIT_IS_OFF =
  "Nothing is recorded now: audit_logger is not on. Enable it: openclaw config set plugins.entries.guardrails.config.audit_logger true";

/** Exit code of a negative answer. */
const NEGATIVE = 3;

/** Dependencies of the commands and methods that show the guards. */
export interface StatusDependencies {
  readonly states: readonly GuardState[];
  /** Sentences about keys of the configuration that name no guard. */
  readonly problems: readonly string[];
  /** Opens the database of the guards. */
  database(): Promise<PluginDatabase>;
  /** Stores the counters. */
  flush(): Promise<void>;
}

/**
 * Registers the method, the slash command and the commands that show the guards (DHOOK-044).
 * @param dependencies - states and database
 */
export function registerStatus(api: OpenClawPluginApi, dependencies: StatusDependencies): void {
  const { states, problems, database, flush } = dependencies;
  const status = async () => {
    await flush();
    return await guardsStatus(await database(), states, problems);
  };
  api.registerGatewayMethod("guardrails.status", status, { scope: "operator.read" });
  api.registerCommand({
    name: "guards",
    description: "Show the guards, and what they changed and blocked.",
    async handler() {
      return { text: statusLines(await status()).join("\n") };
    },
  });
  api.registerCli(guardCommands(api, dependencies, status), {
    descriptors: [
      {
        name: "guards",
        description: "show the guards and read the audit log",
        hasSubcommands: true,
      },
    ],
  });
  const on = states.filter(({ state }) => state === "on").map(({ name }) => name);
  // The hooks of the guards depend on the configuration; this one does not, so that the manifest can declare them.
  api.on("gateway_start", () => {
    if (on.length > 0) api.logger.info(`guards: ${on.join(", ")}`);
  });
  api.registerService({
    id: "guardrails",
    start() {
      // The rules of the host are compiled at the first search, which would hold up the first message.
      if (on.length > 0) api.runtime.safety.findSecrets("warm-up");
    },
  });
}

interface JsonOption {
  readonly json?: boolean;
}

function guardCommands(
  api: OpenClawPluginApi,
  { states, database }: Pick<StatusDependencies, "states" | "database">,
  status: () => ReturnType<typeof guardsStatus>,
): CliRegistrar {
  return ({ program, setExitCode }) => {
    const guards = program.command("guards").description("Show the guards and read the audit log.");
    guards
      .command("status")
      .description(
        "List the guards with what they saw, changed and blocked; exit with 3 if one is not active by mistake.",
      )
      .option("--json", "print JSON")
      .action(async (options: JsonOption) => {
        const found = await status();
        print(options, found, () => statusLines(found));
        if (!isSound(found)) setExitCode?.(NEGATIVE);
      });
    const audit = guards.command("audit").description("Read and verify the audit log.");
    audit
      .command("list")
      .description("Print the newest entries of the audit log.")
      .option("--limit <number>", "maximum number of entries (default: 20)")
      .option("--json", "print JSON")
      .action(async (options: JsonOption & { readonly limit?: string }) => {
        const entries = await auditLines(await database(), options.limit);
        const isOff = states.some(({ name, state }) => name === "audit_logger" && state !== "on");
        const lines = isOff ? [...entries.lines, AUDIT_IS_OFF] : entries.lines;
        print(options, entries.values, () => lines);
      });
    audit
      .command("verify")
      .description("Check that no entry of the audit log was changed or removed.")
      .option(
        "--file <path>",
        "also check a file that audit_logger wrote; default: the configured one",
      )
      .option("--json", "print JSON")
      .action(async (options: JsonOption & { readonly file?: string }) => {
        const configured = auditFilePath(api.pluginConfig.audit_logger, api);
        const report = await verifyAudit(await database(), options.file ?? configured);
        print(options, report, () =>
          report.places.map(
            ({ place, entries }) => `The audit log in ${place} is intact (${entries} entries).`,
          ),
        );
      });
  };
}

function print({ json }: JsonOption, value: unknown, lines: () => readonly string[]): void {
  stdout.write(`${json === true ? JSON.stringify(value, null, 2) : lines().join("\n")}\n`);
}
