import { mutantsOf } from "../../mutation/mutants-of.mjs";

/** Outbound webhooks of plugins. */
export const OUTBOUND_WEBHOOKS = mutantsOf("packages/plugin-sdk", [
  {
    source: "webhook/delivery.ts",
    noticedBy: ["webhook/outbound-webhook"],
    mutants: [
      [
        "webhook-is-not-signed",
        "DHOOK-029",
        "...(secret === undefined\n",
        "...(body !== undefined\n",
      ],
      [
        "webhook-follows-a-redirect",
        "DHOOK-032",
        'redirect: "manual", signal: limit',
        'redirect: "follow", signal: limit',
      ],
    ],
  },
  {
    source: "webhook/signature.ts",
    noticedBy: ["webhook/signature"],
    mutants: [
      [
        "signature-has-another-key",
        "DHOOK-029",
        'secret === "" ? new Uint8Array(1)',
        'secret !== "" ? new Uint8Array(1)',
      ],
    ],
  },
]);
