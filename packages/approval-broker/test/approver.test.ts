import { describe, expect, it } from "vitest";
import { type Approver, putToApprover } from "../src/index.js";

import { asked, brokerHost, OWNER } from "./support/broker-host.js";

const ONCE = { decision: "allow-once", via: "test" } as const;
const LOGGER = { debug() {}, info() {}, warn() {}, error() {} };

/** Somebody who answers when the test says so, and notes when the answer no longer counts. */
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

describe("putToApprover", () => {
  const { signal } = new AbortController();

  it("settles a question by the answer, in the name of who gave it", async () => {
    const { broker } = await brokerHost();
    const approval = await asked(broker);
    const { approver, answer } = patient();
    const put = putToApprover(approval, approver, broker, signal, LOGGER);
    answer();
    await put;
    expect(await broker.verdict(approval.id)).toMatchObject({
      status: "allowed",
      approval: { decidedBy: "terminal:owner" },
    });
  });

  it("takes the question back when somebody else was first", async () => {
    const { broker } = await brokerHost();
    const approval = await asked(broker);
    const { approver, withdrawn } = patient();
    const put = putToApprover(approval, approver, broker, signal, LOGGER);
    await broker.decide(approval.id, { decision: "deny", via: "http" }, OWNER);
    await put;
    expect(withdrawn).toHaveLength(1);
    expect(await broker.verdict(approval.id)).toMatchObject({ status: "denied" });
  });

  it("leaves the question when the asking ends", async () => {
    const { broker } = await brokerHost();
    const approval = await asked(broker);
    const ending = new AbortController();
    const { approver, withdrawn } = patient();
    const put = putToApprover(approval, approver, broker, ending.signal, LOGGER);
    ending.abort(new Error("the terminal closes"));
    await put;
    expect(withdrawn).toHaveLength(1);
    expect(await broker.verdict(approval.id)).toMatchObject({ status: "pending" });
  });

  it.each<[string, Approver["ask"]]>([
    ["who cannot be asked", () => Promise.reject(new Error("the terminal is gone"))],
    ["who answers what is not offered", async () => ({ decision: "allow-always", via: "test" })],
    ["who answers nonsense", async () => JSON.parse('{"decision":"maybe","via":"test"}')],
  ])("denies for somebody %s", async (_who, ask) => {
    const { broker } = await brokerHost();
    const approval = await asked(broker, { severity: "critical" });
    await putToApprover(approval, { actor: OWNER, ask }, broker, signal, LOGGER);
    expect(await broker.verdict(approval.id)).toMatchObject({ status: "denied" });
  });
});
