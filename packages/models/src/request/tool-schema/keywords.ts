import type { LanguageModelV4CallOptions } from "@ai-sdk/provider";
import { withSubSchemas } from "@openclaw/foundation";
import type { JsonSchema } from "@openclaw/plugin-sdk/tools";

type Tools = NonNullable<LanguageModelV4CallOptions["tools"]>;

/** Keywords that a provider accepts in the parameters of tools (LLM-005). */
export class ToolKeywords {
  readonly #accepted: ReadonlySet<string>;
  /** The tools of a turn are the same in each of its requests. */
  readonly #known = new WeakMap<object, JsonSchema>();

  /** @param accepted - JSON Schema keywords */
  constructor(accepted: readonly string[]) {
    this.#accepted = new Set(accepted);
  }

  /**
   * Returns the options of a request whose tools have only accepted keywords.
   * @param options - options of a request
   */
  applyTo(options: LanguageModelV4CallOptions): LanguageModelV4CallOptions {
    const { tools } = options;
    return tools === undefined ? options : { ...options, tools: this.#tools(tools) };
  }

  #tools(tools: Tools): Tools {
    return tools.map((tool) => {
      if (tool.type !== "function") return tool;
      const { inputSchema } = tool;
      const known = this.#known.get(inputSchema) ?? this.#stripped({ ...inputSchema });
      this.#known.set(inputSchema, known);
      return { ...tool, inputSchema: known };
    });
  }

  #stripped(schema: JsonSchema): JsonSchema {
    const { const: constant, ...rest } = schema;
    // The same in a keyword that more providers read.
    const isValue = constant !== undefined && !this.#accepted.has("const");
    const written: JsonSchema =
      isValue && !("enum" in rest) ? { ...rest, enum: [constant] } : schema;
    const accepted = Object.entries(written).filter(([keyword]) => this.#accepted.has(keyword));
    return withSubSchemas(Object.fromEntries(accepted), (sub) => this.#stripped(sub));
  }
}
