import { mutantsOf } from "../../mutation/mutants-of.mjs";

/** Signatures of the channel `http`. */
export const SIGNED_REQUESTS = mutantsOf(
  "extensions/http-channel",
  [
    {
      source: "proof.ts",
      noticedBy: ["http-channel"],
      mutants: [
        [
          "old-signature-is-accepted",
          "CHAN-241",
          "if (Math.abs(now / 1000 - Number(timestamp)) <= MAXIMUM_SKEW_S) {",
          "if (Math.abs(now / 1000 - Number(timestamp)) <= Number.POSITIVE_INFINITY) {",
        ],
        [
          "replay-runs-again",
          "CHAN-241",
          "return { replayKey: `signature ${expected}` };",
          "return { replayKey: `signature ${expected} ${Math.random()}` };",
        ],
        [
          "signature-without-time-is-accepted",
          "CHAN-241",
          "if (acceptsUntimed) return {};",
          "if (acceptsUntimed || secret !== undefined) return {};",
        ],
        [
          "key-is-not-signed",
          "CHAN-241",
          "const expected = signatureOf(secret, body.bytes, { timestamp, id });",
          "const expected = signatureOf(secret, body.bytes, { timestamp, id: undefined });",
        ],
      ],
    },
  ],
  "extensions",
);
