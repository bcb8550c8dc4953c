import { parseArgs } from "node:util";
import {
  COMPONENT_LANGUAGES,
  type ComponentLanguage,
  isComponentLanguage,
} from "./component-project.js";
import { CreatePluginUsageError } from "./errors.js";
import {
  isPluginKind,
  isPluginLanguage,
  PLUGIN_KINDS,
  PLUGIN_LANGUAGES,
  type PluginKind,
  type PluginLanguage,
} from "./plugin-kind.js";
import { readPublishNames } from "./publish-names.js";

/** Arguments of the command line; missing ones are prompted for or have a default. */
export interface CommandArguments {
  readonly folder?: string | undefined;
  readonly id?: string | undefined;
  readonly kind?: PluginKind | undefined;
  readonly language?: PluginLanguage | undefined;
  /** Language of a WebAssembly component instead of a plugin. */
  readonly component?: ComponentLanguage | undefined;
  /** True disables all prompts. */
  readonly yes: boolean;
  readonly help: boolean;
}

/** Help text of the command. */
export const USAGE = `usage: ${readPublishNames().createCommand()} [folder] -- [options]

Create an OpenClaw plugin: manifest, entry file, a passing test and repository files.

  --template <kind>      ${Object.keys(PLUGIN_KINDS).join(", ")}
  --id <id>              plugin ID; default: the folder name
  --wasm                 a tool as a WebAssembly component, in ${Object.keys(COMPONENT_LANGUAGES).join(" or ")}
  --language <language>  ${Object.keys(PLUGIN_LANGUAGES).join(" or ")}; default typescript
  -y, --yes              accept all defaults without prompting
  -h, --help             print this help`;

/**
 * Reads the command line.
 * @param args - arguments without the program's name
 * @throws CreatePluginUsageError
 */
export function readArguments(args: readonly string[]): CommandArguments {
  const { values, positionals } = parse(args);
  const [folder, ...more] = positionals;
  if (more.length > 0) {
    throw new CreatePluginUsageError(`expected one folder, got ${positionals.join(" and ")}`);
  }
  const { template: kind, language, id } = values;
  if (kind !== undefined && !isPluginKind(kind)) throw unknown("--template", kind, PLUGIN_KINDS);
  const common = { yes: values.yes === true, help: values.help === true, folder, id };
  if (values.wasm === true) {
    const { language: component = "typescript" } = values;
    if (kind !== undefined) throw new CreatePluginUsageError("--template is not for --wasm");
    if (isComponentLanguage(component)) return { ...common, component };
    throw unknown("--language", component, COMPONENT_LANGUAGES);
  }
  if (language !== undefined && !isPluginLanguage(language)) {
    throw unknown("--language", language, PLUGIN_LANGUAGES);
  }
  return { ...common, kind, language };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        template: { type: "string" },
        id: { type: "string" },
        language: { type: "string" },
        wasm: { type: "boolean" },
        yes: { type: "boolean", short: "y" },
        help: { type: "boolean", short: "h" },
      },
    });
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw new CreatePluginUsageError(message);
  }
}

function unknown(option: string, got: string, known: object): CreatePluginUsageError {
  return new CreatePluginUsageError(
    `${option} takes ${Object.keys(known).join(", ")}; got ${JSON.stringify(got)}`,
  );
}
