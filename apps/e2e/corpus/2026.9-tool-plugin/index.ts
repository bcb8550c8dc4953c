import { defineToolPlugin } from "openclaw/plugin-sdk/tool-plugin";
import { Type } from "typebox";

export default defineToolPlugin({
  id: "unit-converter",
  name: "Unit converter",
  description: "Converts units.",
  configSchema: Type.Object({ digits: Type.Optional(Type.Integer()) }),
  tools: (tool) => [
    tool({
      name: "convert_length",
      label: "Convert length",
      description: "Converts metres to feet.",
      parameters: Type.Object({ metres: Type.Number() }),
      execute: ({ metres }, { digits = 0 }) => ({ feet: (metres * 3.28084).toFixed(digits) }),
    }),
    tool({
      name: "convert_here",
      optional: true,
      factory: ({ toolContext }) => ({
        name: "convert_here",
        label: "Convert here",
        description: "Converts in this session.",
        parameters: Type.Object({}),
        execute: async () => ({ content: [], details: toolContext.agentId }),
      }),
    }),
  ],
});
