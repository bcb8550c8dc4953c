import { mutantsOf } from "../../mutation/mutants-of.mjs";

/** Models that plugins describe: no server of a plugin receives a key that belongs to another one. */
export const DESCRIBED_MODELS = mutantsOf("packages/models", [
  {
    source: "described/described-model.ts",
    noticedBy: ["described/described-model"],
    mutants: [
      [
        "key-of-the-operator-goes-to-the-responses-api-of-a-plugin",
        "PLUG-120",
        '"openai-responses": async ({ apiKey = NO_KEY, ...server }',
        '"openai-responses": async ({ apiKey, ...server }',
      ],
      [
        "key-of-the-operator-goes-to-the-messages-api-of-a-plugin",
        "PLUG-120",
        '"anthropic-messages": async ({ apiKey = NO_KEY, ...server }',
        '"anthropic-messages": async ({ apiKey, ...server }',
      ],
      [
        "key-of-the-operator-goes-to-the-completions-api-of-a-plugin",
        "PLUG-120",
        "const key = apiKey === undefined ? {} : { apiKey };",
        "const key = { apiKey: apiKey ?? process.env.OPENAI_API_KEY };",
      ],
    ],
  },
]);
