import { type Static, Type } from "typebox";

/** Replies that are sent as audio, unless `speech.replies` says otherwise. */
export const SPOKEN_REPLIES = "off";

/** Schema of the section `speech`. */
export const speechSchema = Type.Object(
  {
    replies: Type.Optional(
      Type.Enum(["off", "to-voice", "always"], {
        default: SPOKEN_REPLIES,
        description:
          "Replies that are sent as audio on channels that can show it: none, those to messages with audio, or all.",
      }),
    ),
    provider: Type.Optional(
      Type.String({
        minLength: 1,
        description:
          "ID of the speech provider of a plugin; needed only when there are several that are set up.",
      }),
    ),
    voice: Type.Optional(
      Type.String({
        minLength: 1,
        description: "Voice of the provider; the provider's default when absent.",
      }),
    ),
  },
  { additionalProperties: false, description: "Spoken replies." },
);

/** Section `speech`: spoken replies. */
export type SpeechSection = Static<typeof speechSchema>;
