import { isSchema } from "@openclaw/foundation";
import type { AnyAgentTool } from "@openclaw/plugin-sdk/tools";
import type { PluginInstance } from "../instances/instance.js";
import { describeArguments } from "./described-arguments.js";

/** Checks the parameters of one plugin's tools, individually and together (PLUG-032). */
export class ToolParametersCheck {
  /** By parameter: its type, and the first tool that has it. */
  readonly #types = new Map<string, { readonly type: string; readonly tool: string }>();

  constructor(private readonly instance: PluginInstance) {}

  /**
   * Returns true when models can be offered a tool: its parameters are a JSON Schema of an object with each required
   * parameter. A parameter that has another type in another tool of the plugin causes a warning, because models mix
   * them up.
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
    const { properties } = described.schema;
    for (const [name, property] of Object.entries(isSchema(properties) ? properties : {})) {
      const type = typeOf(property);
      if (type !== undefined) this.#compare(name, type, tool.name);
    }
    return true;
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

function typeOf(property: unknown): string | undefined {
  if (!isSchema(property) || typeof property.type !== "string") return undefined;
  return property.type === "integer" ? "number" : property.type;
}
