import { randomUUID } from "node:crypto";
import { resolve } from "node:path";
import { stdin, stdout } from "node:process";
import { createInterface } from "node:readline/promises";
import { RuntimeCapabilityError } from "@openclaw/plugin-sdk/errors";
import { isRecord } from "@openclaw/plugin-sdk/kit";
import { type CliContext, defined } from "@openclaw/plugin-sdk/plugin-entry";
import { WasmInstallError } from "../errors.js";
import type { Inspection } from "../library/library.js";
import type { ComponentList, StoredSecret } from "../methods.js";
import type { CallFuel } from "../tools/fuel-log.js";
import { inspectionLines, listLines, note, permissionLines, print } from "./output.js";

interface JsonOption {
  readonly json?: boolean;
}

interface InstallOptions extends JsonOption {
  readonly name?: string;
  readonly yes?: boolean;
}

interface RunOptions extends JsonOption {
  readonly session: string;
  readonly fuel?: boolean;
}

/** Part of the result of `tools.invoke`. */
interface ToolOutcome {
  readonly isError: boolean;
  readonly content: readonly { readonly type?: unknown; readonly text?: unknown }[];
}

/**
 * Adds `openclaw wasm` to the command line.
 * @param context - command line, and access to the gateway
 */
export function describeWasmCommands({ program, callGateway, setExitCode }: CliContext): void {
  const call = async <Result>(method: string, params: Readonly<Record<string, unknown>> = {}) => {
    if (callGateway === undefined) {
      throw new RuntimeCapabilityError("wasm", "callGateway", "use the command line of OpenClaw");
    }
    // The method of this plugin, or of the host, has this result.
    return (await callGateway(method, params)) as Result;
  };
  const inspect = (source: string, { name }: InstallOptions) =>
    call<Inspection>("wasm.inspect", { source: absolute(source), ...defined({ name }) });

  const wasm = program
    .command("wasm")
    .description("install, list, inspect and run WebAssembly components");

  wasm
    .command("install")
    .description("install a component, after its permissions were accepted")
    .argument("<source>", "file, folder with one component, or URL")
    .option("--name <name>", "name of the tool; that of the file when absent")
    .option("--yes", "accept the permissions without asking")
    .option("--json", "print what was installed as JSON")
    .action(async (source: string, options: InstallOptions) => {
      const inspection = await inspect(source, options);
      const { name, added } = inspection;
      if (!options.yes && !(await isAccepted(inspection))) {
        note(
          `Not installed: the permissions of ${name} were not accepted. Accept them with --yes.`,
        );
        setExitCode?.(3);
        return;
      }
      const params = {
        source: absolute(source),
        accepted: added,
        ...defined({ name: options.name }),
      };
      const installed = await call<Inspection>("wasm.install", params);
      print(options.json === true, installed, () => [
        ...inspectionLines(installed),
        ...installed.steps,
        installed.kind === "tool"
          ? `Installed ${name}. Run it: openclaw wasm run ${name} '{}'`
          : `Installed ${name}. See its state: openclaw channels list`,
      ]);
    });

  wasm
    .command("list")
    .description("list the components with their permissions and problems")
    .option("--json", "print the list as JSON")
    .action(async ({ json = false }: JsonOption) => {
      const listed = await call<ComponentList>("wasm.list");
      print(json, listed, () => listLines(listed));
    });

  for (const [verb, description] of [
    ["inspect", "describe a component that is not installed"],
    ["validate", "check a component and its capabilities file"],
  ] as const) {
    wasm
      .command(verb)
      .description(description)
      .argument("<source>", "file, folder with one component, or URL")
      .option("--name <name>", "name of the component")
      .option("--json", "print the result as JSON")
      .action(async (source: string, options: InstallOptions) => {
        const inspection = await inspect(source, options);
        print(options.json === true, inspection, () =>
          verb === "inspect"
            ? inspectionLines(inspection)
            : [
                `${inspection.name} is valid.`,
                ...inspection.warnings.map((line) => `warning: ${line}`),
              ],
        );
      });
  }

  wasm
    .command("remove")
    .description("remove a component")
    .argument("<name>", "name of the component")
    .action(async (name: string) => {
      const removed = await call("wasm.remove", { name });
      print(false, removed, () => [`Removed ${name}.`]);
    });

  wasm
    .command("reload")
    .description("load the components again after files changed")
    .option("--json", "print the list as JSON")
    .action(async ({ json = false }: JsonOption) => {
      const listed = await call<ComponentList>("wasm.reload");
      print(json, listed, () => listLines(listed));
    });

  wasm
    .command("secret")
    .description("store a secret that the host adds to requests of components")
    .argument("<name>", "name of the secret, as in the capabilities file")
    .option("--remove", "remove it")
    .action(async (name: string, { remove = false }: { readonly remove?: boolean }) => {
      const value = remove ? undefined : await readSecret(name);
      const params = { name, ...defined({ value }) };
      const stored = await call<StoredSecret>("wasm.secret", params);
      print(false, stored, () => [
        remove ? `Removed the secret ${name}.` : `Stored the secret ${name}.`,
        ...stored.checks.map(({ component, message }) => `  ${component}: ${message}`),
      ]);
      if (stored.checks.some(({ isAccepted }) => !isAccepted)) setExitCode?.(3);
    });

  wasm
    .command("run")
    .description("run a tool as the operator, through policy, hooks and approval as any call")
    .argument("<name>", "name of the tool")
    .argument("[params]", "arguments as a JSON object", "{}")
    .option("--session <key>", "session of the call", "main")
    .option("--fuel", "print the fuel that the call consumed")
    .option("--json", "print the result as JSON")
    .action(async (tool: string, text: string, options: RunOptions) => {
      const toolCallId = randomUUID();
      const params = { ...parametersOf(text) };
      const request = { sessionKey: options.session, tool, params, toolCallId };
      const outcome = await call<ToolOutcome>("tools.invoke", request);
      const fuel = options.fuel ? await call<{ fuel?: CallFuel }>("wasm.fuel", { toolCallId }) : {};
      print(options.json === true, { ...outcome, ...fuel }, () =>
        outcome.content.map((part) =>
          typeof part.text === "string" ? part.text : `[${String(part.type)}]`,
        ),
      );
      if (options.fuel && !options.json) note(fuelLine(fuel.fuel));
      if (outcome.isError) setExitCode?.(3);
    });
}

function fuelLine(fuel: CallFuel | undefined): string {
  if (fuel === undefined)
    return "Fuel: not known, because the component was not called or did not end by itself.";
  return `Fuel: ${fuel.consumed} of ${fuel.limit} units.`;
}

/** A URL stays as it is; the gateway may have another working directory. */
function absolute(source: string): string {
  return /^https?:/i.test(source) ? source : resolve(source);
}

async function isAccepted({ name, added }: Inspection): Promise<boolean> {
  if (added.length === 0) return true;
  note(name);
  for (const line of permissionLines(added)) note(line);
  if (!stdin.isTTY) return false;
  const input = createInterface({ input: stdin, output: stdout });
  try {
    return /^y(?:es)?$/i.test(
      (await input.question(`Install ${name} with these permissions? [y/N] `)).trim(),
    );
  } finally {
    input.close();
  }
}

async function readSecret(name: string): Promise<string> {
  if (stdin.isTTY) note(`Type the value of ${name} and press Enter, then Ctrl+D.`);
  let text = "";
  for await (const part of stdin) text += String(part);
  const value = text.replace(/\r?\n$/, "");
  if (value !== "") return value;
  throw new WasmInstallError(
    "standard input is empty",
    `give the value, for example echo VALUE | openclaw wasm secret ${name}`,
  );
}

function parametersOf(text: string): Readonly<Record<string, unknown>> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    value = undefined;
  }
  if (isRecord(value)) return value;
  throw new WasmInstallError(
    `${text} is not a JSON object`,
    `give the arguments as '{"name":"value"}'`,
  );
}
