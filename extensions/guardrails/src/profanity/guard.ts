import { Type } from "typebox";
import { defineGuard } from "../guard.js";
import { FIRST } from "../order.js";
import { masked } from "./mask.js";
import { ProfanityMatcher } from "./matcher.js";
import { profanityPreview } from "./preview.js";

const REPLY = "Your message was not processed because it contains a word that is not allowed here.";
const REASON = "profanity_filter: the message contains a word that is not allowed";

/** Masks or blocks profanity in messages, in both directions (DHOOK-036). */
export const profanityFilter = defineGuard({
  name: "profanity_filter",
  schema: Type.Object(
    {
      mode: Type.Enum(["mask", "block"], {
        default: "mask",
        description: "mask replaces each letter of a word with a star, block stops the message.",
      }),
      inbound: Type.Boolean({
        default: true,
        description: "False leaves messages of users alone.",
      }),
      outbound: Type.Boolean({ default: true, description: "False leaves replies alone." }),
      words: Type.Array(Type.String({ minLength: 2, maxLength: 64 }), {
        default: [],
        description: "Words in addition to the built-in list.",
      }),
      allow: Type.Array(Type.String({ minLength: 1, maxLength: 64 }), {
        default: [],
        description: "Words that are allowed although they are in the list.",
      }),
    },
    { additionalProperties: false },
  ),
  install({ mode, inbound, outbound, words, allow }, { api, counters }) {
    const matcher = new ProfanityMatcher({ words, allow });
    const verdict = (content: string) => {
      const found = matcher.find(content);
      if (found.length === 0) return undefined;
      if (mode === "block") {
        counters.blocked();
        return { cancel: true, cancelReason: REASON };
      }
      counters.changed();
      return { content: masked(content, found) };
    };
    const options = { mode: "fail-closed", priority: FIRST.words, id: "profanity_filter" } as const;
    if (inbound) {
      api.on(
        "message_receiving",
        ({ content }) =>
          counters.run(() => {
            const decided = verdict(content);
            return decided?.cancel === true ? { ...decided, reply: REPLY } : decided;
          }),
        options,
      );
    }
    if (outbound) {
      api.on("message_sending", ({ content }) => counters.run(() => verdict(content)), {
        ...options,
        // A reply that can be blocked is not shown before it is complete.
        preview: () => (mode === "mask" ? profanityPreview(matcher) : undefined),
      });
    }
  },
});
