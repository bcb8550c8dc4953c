/** Arguments as JSON, valid by the schema, and the context of the call. */
interface ToolRequest {
  readonly params: string;
  readonly context?: string | undefined;
}

/** The result as JSON, or a failure for the model. */
type ToolResponse =
  | { readonly tag: "success"; readonly val: string }
  | {
      readonly tag: "failure";
      readonly val: { readonly kind: string; readonly code?: string; readonly message?: string };
    };

/** The interface `tool` of wit/tool.wit. */
export const tool = {
  description: () => "Counts the words of a text.",

  schema: () =>
    JSON.stringify({
      type: "object",
      properties: { text: { type: "string" } },
      required: ["text"],
      additionalProperties: false,
    }),

  execute({ params }: ToolRequest): ToolResponse {
    const { text } = JSON.parse(params) as { text: string };
    if (text.length > 100_000) {
      return {
        tag: "failure",
        val: { kind: "input", code: "too-long", message: "the text is too long" },
      };
    }
    const words = text.split(/\s+/).filter((word) => word !== "").length;
    return { tag: "success", val: JSON.stringify({ words }) };
  },
};
