import { mutantsOf } from "../../mutation/mutants-of.mjs";

const GATEWAY = "packages/gateway/test/server/anthropic";

/** The Messages API: no client speaks for the owner or reads the turn of another one. */
export const MESSAGES_API = [
  ...mutantsOf("packages/server", [
    {
      source: "openai/message.ts",
      noticedBy: [`${GATEWAY}/messages.test.ts`],
      mutants: [
        [
          "user-of-a-client-has-the-rights-of-the-owner",
          "GW-540",
          "const sender = senderOf(user.id, request.caller);",
          "const sender = senderOf(undefined, request.caller);",
        ],
      ],
    },
  ]),
  ...mutantsOf("packages/server", [
    {
      source: "openai/caller.ts",
      noticedBy: ["packages/gateway/test/server/openai/chat.test.ts"],
      mutants: [
        [
          "user-holds-hidden-characters",
          "CHAN-940",
          "if (id.length <= MOST_USER && isIdText(id)) return { id };",
          "if (id.length <= MOST_USER) return { id };",
        ],
        [
          "session-key-holds-hidden-characters",
          "CHAN-940",
          "if (!isIdText(header)) {",
          "if (header === '') {",
        ],
      ],
    },
  ]),
  ...mutantsOf("packages/messaging", [
    {
      source: "turns/client-turns.ts",
      noticedBy: [`${GATEWAY}/clients.test.ts`],
      mutants: [
        [
          "turn-of-another-user-is-continued",
          "GW-542 APPR-028",
          "return isOwn ? row : undefined;",
          "return isOwn || row ? row : undefined;",
        ],
      ],
    },
  ]),
  ...mutantsOf("packages/models", [
    {
      source: "request/prompt.ts",
      noticedBy: ["request/prompt"],
      mutants: [
        [
          "reasoning-for-one-provider-reaches-another",
          "GW-542",
          ": isClients && Object.hasOwn(providerData, model.provider),",
          ": isClients,",
        ],
      ],
    },
  ]),
];
