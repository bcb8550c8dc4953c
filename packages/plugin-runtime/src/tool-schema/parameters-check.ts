import { isSchema } from "@openclaw/foundation";
import type { AnyAgentTool } from "@openclaw/plugin-sdk/tools";
import type { PluginInstance } from "../instances/instance.js";
import { describeArguments } from "./described-arguments.js";

/** Checks the parameters of one plugin's tools, individually and together (PLUG-032). */
export class ToolParametersCheck {
  /** By parameter: its type, and the first tool that has it. */
  readonly #types = new Map<string, { readonly type: string; readonly tool: string }>();

  /** Name of the first tool of each form. */
  readonly #names = new Map<string, string>();

  constructor(private readonly instance: PluginInstance) {}

  /**
   * Returns true when models can be offered a tool: its parameters are a JSON Schema of an object with each required
   * parameter. A parameter that has another type in another tool of the plugin causes a warning, and so do names of tools
   * that differ only in form, because models mix them up.
   * @param tool - a tool of the plugin
   */
  accepts(tool: Pick<AnyAgentTool, "name" | "parameters" | "jsonSchema">): boolean {
    const { id } = this.instance;
    const described = describeArguments(tool);
    if (!("schema" in described)) {
      this.instance.diagnose({
        level: "error",
        code: "tool-parameters-invalid",
        message: `tool "${tool.name}" of plugin "${id}" is left out: its ${described.message}`,
        hint: described.hint,
      });
      return false;
    }
    this.#compareName(tool.name);
    const { properties } = described.schema;
    for (const [name, property] of Object.entries(isSchema(properties) ? properties : {})) {
      const type = typeOf(property);
      if (type !== undefined) this.#compare(name, type, tool.name);
    }
    return true;
  }

  /** Models mix up `readFile` and `read_file`. */
  #compareName(name: string): void {
    const form = formOf(name);
    const first = this.#names.get(form);
    if (first === undefined) this.#names.set(form, name);
    else if (first !== name) {
      this.instance.diagnose({
        level: "warn",
        code: "tool-names-similar",
        message: `the tools "${first}" and "${name}" of plugin "${this.instance.id}" have names that differ only in form`,
        hint: "give one of them a name that says what is different; models mix them up",
      });
    }
  }

  #compare(name: string, type: string, tool: string): void {
    const first = this.#types.get(name);
    if (first === undefined) {
      this.#types.set(name, { type, tool });
    } else if (first.type !== type) {
      this.instance.diagnose({
        level: "warn",
        code: "tool-parameters-differ",
        message: `plugin "${this.instance.id}" has a parameter "${name}" of type ${first.type} in tool "${first.tool}" and of type ${type} in tool "${tool}"`,
        hint: "give the two parameters the same type, or different names; models mix them up",
      });
    }
  }
}

/**
 * Returns the name of a tool without what spelling styles differ in: case, `_`, `-` and `.`.
 * @param name - name of a tool
 */
function formOf(name: string): string {
  return name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, "");
}

function typeOf(property: unknown): string | undefined {
  if (!isSchema(property) || typeof property.type !== "string") return undefined;
  return property.type === "integer" ? "number" : property.type;
}
