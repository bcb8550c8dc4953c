import { mutantsOf } from "../../mutation/mutants-of.mjs";

const GATEWAY = "packages/gateway/test/messaging";

/** The host around turns: ends, waits for approval, delivery. */
export const MESSAGING = mutantsOf("packages/messaging", [
  {
    source: "turns/ending.ts",
    noticedBy: [`${GATEWAY}/turns/run.test.ts`, `${GATEWAY}/turns/approval-wait.test.ts`],
    mutants: [
      [
        "request-of-a-turn-that-the-host-fails-waits-on",
        "APPR-015",
        'await approvals.cancelFor({ runId }, "turn-failed");',
        "",
      ],
      [
        "request-of-a-turn-interrupted-in-the-queue-waits-on",
        "APPR-015",
        'if (stopReason === "interrupted") await approvals.cancelFor({ runId }, "interrupt");',
        "",
        [`${GATEWAY}/inbound/recovery.test.ts`],
      ],
    ],
  },
  {
    source: "turns/execution.ts",
    noticedBy: [`${GATEWAY}/turns/approval-wait.test.ts`],
    mutants: [
      [
        "services-change-during-a-wait",
        "TURN-012",
        "if (held.pin.isWhole()) continue;\n        held.pin.release();\n        held = this.#hold();",
        "held.pin.release();\n        held = this.#hold();",
      ],
      [
        "services-of-a-generation-that-is-gone-are-kept",
        "TURN-012",
        "if (held.pin.isWhole()) continue;",
        "continue;",
      ],
    ],
  },
  {
    source: "delivery/reply.ts",
    noticedBy: [`${GATEWAY}/delivery/reply.test.ts`],
    mutants: [
      [
        "message-sending-sees-a-cancelled-reply",
        "TURN-047",
        "if (verdict?.cancel === true) {\n      const { cancelReason } = verdict;",
        "if (verdict?.cancel === true) {\n      await this.deliverChunk(reply, context, undefined);\n      const { cancelReason } = verdict;",
      ],
      [
        "message-sending-sees-an-answered-reply",
        "TURN-047",
        'if (content === "") return',
        'if (content === "") await this.deliverChunk(reply, context, undefined);\n    if (content === "") return',
      ],
      ["cancelled-reply-is-sent", "TURN-047", "if (verdict?.cancel === true) {", "if (false) {"],
      [
        "reply-that-a-plugin-delivers-is-sent-again",
        "TURN-047",
        "if (dispatched !== undefined) return dispatched;",
        "",
      ],
      [
        "part-after-a-failed-one-is-sent",
        "TURN-047",
        'if (deliveries.at(-1)?.status === "failed")',
        "if (false)",
      ],
    ],
  },
  {
    source: "delivery/chunk.ts",
    noticedBy: [`${GATEWAY}/delivery/reply.test.ts`],
    mutants: [
      ["cancelled-part-is-sent", "TURN-047", "if (verdict?.cancel === true) {", "if (false) {"],
    ],
  },
  {
    source: "approvals/disabled-plugins.ts",
    noticedBy: [`${GATEWAY}/approvals/disabled-plugins.test.ts`],
    mutants: [
      [
        "request-of-a-plugin-that-is-gone-waits-on",
        "APPR-015",
        "for (const pluginId of gone) await approvals.cancelFor({ pluginId }, REASON);",
        "",
      ],
    ],
  },
]);
