import { mutantsOf } from "../../mutation/mutants-of.mjs";

/** Reservations of the cost of model calls. */
export const SPENDING = mutantsOf("packages/store", [
  {
    source: "spending/spending.ts",
    noticedBy: ["spending/spending"],
    mutants: [
      [
        "estimate-does-not-count-against-the-limit",
        "LLM-031",
        "BigInt(spent.used) + estimate > spent.limit.maximum",
        "BigInt(spent.used) > spent.limit.maximum",
      ],
      [
        "settled-call-is-released",
        "LLM-031",
        '.where("call_id", "=", encodeText(callId))\n      .where("settled_at", "is", null)',
        '.where("call_id", "=", encodeText(callId))',
      ],
    ],
  },
  {
    source: "spending/limit.ts",
    noticedBy: ["spending/spending"],
    mutants: [
      [
        "expired-reservation-counts",
        "LLM-031",
        'eb("expires_at", ">", now)]',
        'eb("expires_at", ">", 0)]',
      ],
      [
        "reservation-of-an-agent-does-not-count",
        "LLM-032",
        "(await totalOf(unit, scope)) + (await reservedBy(unit, scope, now))",
        "await totalOf(unit, scope)",
      ],
    ],
  },
]);
