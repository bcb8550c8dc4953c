import { describe, expect, it } from "vitest";
import { type Approver, requestDecision } from "../src/index.js";

import { brokerHost, OWNER, pendingRequest } from "./support/broker-host.js";

const ONCE = { decision: "allow-once", via: "test" } as const;
const LOGGER = { debug() {}, info() {}, warn() {}, error() {} };

/**
 * Returns an approver who decides when the test resolves it, and records when the decision no longer
 * counts.
 */
function patient() {
  const withdrawn: unknown[] = [];
  let answer: (given: typeof ONCE) => void = () => {};
  const approver: Approver = {
    actor: OWNER,
    ask(_approval, signal) {
      signal.addEventListener("abort", () => void withdrawn.push(signal.reason));
      return new Promise((resolve) => {
        answer = resolve;
      });
    },
  };
  return { approver, withdrawn, answer: () => answer(ONCE) };
}

describe("requestDecision", () => {
  const { signal } = new AbortController();

  it("settles a request with the decision, in the name of the approver", async () => {
    const { broker } = await brokerHost();
    const approval = await pendingRequest(broker);
    const { approver, answer } = patient();
    const put = requestDecision(approval, approver, broker, signal, LOGGER);
    answer();
    await put;
    expect(await broker.verdict(approval.id)).toMatchObject({
      status: "allowed",
      approval: { decidedBy: "terminal:owner" },
    });
  });

  it("withdraws the prompt when the request was decided elsewhere first", async () => {
    const { broker } = await brokerHost();
    const approval = await pendingRequest(broker);
    const { approver, withdrawn } = patient();
    const put = requestDecision(approval, approver, broker, signal, LOGGER);
    await broker.decide(approval.id, { decision: "deny", via: "http" }, OWNER);
    await put;
    expect(withdrawn).toHaveLength(1);
    expect(await broker.verdict(approval.id)).toMatchObject({ status: "denied" });
  });

  it("leaves the request pending when the prompt is aborted", async () => {
    const { broker } = await brokerHost();
    const approval = await pendingRequest(broker);
    const ending = new AbortController();
    const { approver, withdrawn } = patient();
    const put = requestDecision(approval, approver, broker, ending.signal, LOGGER);
    ending.abort(new Error("the terminal closes"));
    await put;
    expect(withdrawn).toHaveLength(1);
    expect(await broker.verdict(approval.id)).toMatchObject({ status: "pending" });
  });

  it.each<[string, Approver["ask"]]>([
    ["cannot be asked", () => Promise.reject(new Error("the terminal is gone"))],
    [
      "chooses a decision that is not offered",
      async () => ({ decision: "allow-always", via: "test" }),
    ],
    ["returns an unknown decision", async () => JSON.parse('{"decision":"maybe","via":"test"}')],
  ])("denies the request when the approver %s", async (_who, ask) => {
    const { broker } = await brokerHost();
    const approval = await pendingRequest(broker, { severity: "critical" });
    await requestDecision(approval, { actor: OWNER, ask }, broker, signal, LOGGER);
    expect(await broker.verdict(approval.id)).toMatchObject({ status: "denied" });
  });
});
