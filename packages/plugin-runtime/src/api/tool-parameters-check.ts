import type { AnyAgentTool } from "@openclaw/plugin-sdk/tools";
import type { PluginInstance } from "../instances/instance.js";

/** Checks the parameters of one plugin's tools, individually and together (PLUG-032). */
export class ToolParametersCheck {
  /** By parameter: its type, and the first tool that has it. */
  readonly #types = new Map<string, { readonly type: string; readonly tool: string }>();

  constructor(private readonly instance: PluginInstance) {}

  /**
   * Returns true when models can be offered a tool: each required parameter must exist. A parameter
   * that has another type in another tool of the plugin causes a warning, because models mix them
   * up.
   * @param tool - a tool of the plugin
   */
  accepts(tool: AnyAgentTool): boolean {
    const { id } = this.instance;
    const { required, properties } = schemaOf(tool.parameters);
    const missing = required.filter((name) => !Object.hasOwn(properties, name));
    if (missing.length > 0) {
      const names = missing.map((name) => `"${name}"`).join(", ");
      this.instance.diagnose({
        level: "error",
        code: "tool-parameters-invalid",
        message: `tool "${tool.name}" of plugin "${id}" is left out: its parameters require ${names}, which they do not describe`,
        hint: `describe ${names} in properties, or take it out of required`,
      });
      return false;
    }
    for (const [name, property] of Object.entries(properties)) {
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

function schemaOf(parameters: object): { required: string[]; properties: object } {
  const { required, properties } = parameters as { required?: unknown; properties?: unknown };
  // A property can only be missing in a schema that lists properties.
  if (typeof properties !== "object" || properties === null)
    return { required: [], properties: {} };
  return { required: Array.isArray(required) ? required.filter(isText) : [], properties };
}

function typeOf(property: unknown): string | undefined {
  if (typeof property !== "object" || property === null || !("type" in property)) return undefined;
  const { type } = property;
  if (!isText(type)) return undefined;
  return type === "integer" ? "number" : type;
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}
